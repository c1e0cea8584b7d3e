import { isDeepStrictEqual } from 'node:util';

/** The requested values that differ from the stored ones; undefined means unchanged. */
export function changedFields<Stored extends object>(
  stored: Stored,
  wanted: { [Name in keyof Stored]?: Stored[Name] | undefined },
): Partial<Stored> {
  const names = Object.keys(wanted) as (keyof Stored)[];
  const changed = names.filter(
    (name) => wanted[name] !== undefined && !isDeepStrictEqual(wanted[name], stored[name]),
  );
  return Object.fromEntries(changed.map((name) => [name, wanted[name]])) as Partial<Stored>;
}
