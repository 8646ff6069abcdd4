import { type Diagnostic, inFigures } from "@loopwright/core";

/** A person reads no more; a machine gets all. */
const MAX_SHOWN = 100;
/** So many of one kind show what it is; where the others stand is only named. */
const MAX_ALIKE = 3;
const MAX_PLACES = 10;

/** What of many findings a person is shown. */
export interface ShownDiagnostics {
  /** In the order given; the last of a kind notes where the same was found. */
  readonly shown: readonly Diagnostic[];
  /** What is neither shown nor noted. */
  readonly hidden: readonly Diagnostic[];
}

/** A finding that is shown in full, with those that it stands for. */
interface Told {
  readonly found: Diagnostic;
  readonly others: readonly Diagnostic[];
}

/** Chooses a few of what was found at many places, and of all a hundred at most, errors before warnings; `nameOf` says a file. */
export function shownDiagnostics(
  diagnostics: readonly Diagnostic[],
  nameOf: (file: string) => string,
): ShownDiagnostics {
  const told = [...kindsOf(diagnostics).values()].flatMap((alike): readonly Told[] =>
    alike.slice(0, MAX_ALIKE).map((found, index) => ({
      found,
      others: index === MAX_ALIKE - 1 ? alike.slice(MAX_ALIKE) : [],
    })),
  );
  const isError = ({ found }: Told): boolean => found.severity === "error";
  const chosen = new Map(
    [...told.filter(isError), ...told.filter((one) => !isError(one))]
      .slice(0, MAX_SHOWN)
      .map((one) => [one.found, one.others]),
  );
  const noted = new Set([...chosen.values()].flat());
  return {
    shown: diagnostics.flatMap((found) => {
      const others = chosen.get(found);
      return others === undefined ? [] : [withPlaces(found, others, nameOf)];
    }),
    hidden: diagnostics.filter((found) => !chosen.has(found) && !noted.has(found)),
  };
}

function kindsOf(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, readonly Diagnostic[]> {
  const kinds = new Map<string, Diagnostic[]>();
  for (const found of diagnostics) {
    const { severity, code, message, suggestion = "", notes = [] } = found;
    const kind = JSON.stringify([severity, code, message, suggestion, notes]);
    const alike = kinds.get(kind);
    if (alike === undefined) kinds.set(kind, [found]);
    else alike.push(found);
  }
  return kinds;
}

function withPlaces(
  found: Diagnostic,
  others: readonly Diagnostic[],
  nameOf: (file: string) => string,
): Diagnostic {
  if (others.length === 0) return found;
  const named = others.slice(0, MAX_PLACES);
  const lines = named.filter(({ file }) => file === found.file).map(({ line }) => line);
  const elsewhere = named
    .filter(({ file }) => file !== found.file)
    .map(({ file, line }) => (file.startsWith("--") ? file : `${nameOf(file)}:${line}`));
  const own =
    lines.length === 0 ? [] : [`line${lines.length === 1 ? "" : "s"} ${lines.join(", ")}`];
  const rest = others.length > named.length ? ["…"] : [];
  const count = `${inFigures(others.length)} more place${others.length === 1 ? "" : "s"}`;
  const note = `the same at ${count}: ${[...own, ...elsewhere, ...rest].join(", ")}`;
  return { ...found, notes: [...(found.notes ?? []), note] };
}
