/** The longest message of a server that is read, in characters or bytes. */
export const maxMessageChars = 16_000_000;

/** What is told of a server that sends a longer one. */
export const TOO_LONG: string = `it sent a message of more than ${maxMessageChars} characters`;
