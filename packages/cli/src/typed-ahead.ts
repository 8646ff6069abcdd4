/** Keys that were pressed before are delivered within this time. */
const DELIVERY_MS = 30;
const CTRL_C = "\u0003";

/** Drops what a person typed before a question stood on the screen; Ctrl-C among it counts. */
export async function dropTypedAhead(
  input: NodeJS.ReadableStream,
  onInterrupt: () => void,
): Promise<void> {
  const keyboard = input as NodeJS.ReadableStream & Partial<NodeJS.ReadStream>;
  if (keyboard.isTTY !== true) return;
  const drop = (keys: Buffer | string): void => {
    if (String(keys).includes(CTRL_C)) onInterrupt();
  };
  // In raw mode a line without its end is delivered too.
  keyboard.setRawMode?.(true);
  input.on("data", drop);
  await new Promise((resolve) => setTimeout(resolve, DELIVERY_MS));
  input.off("data", drop);
  input.pause();
  keyboard.setRawMode?.(false);
}
