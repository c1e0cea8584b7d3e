import { isDeepStrictEqual } from 'node:util';

/** Those of the wanted values that differ from what is stored; undefined means "leave it". */
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
