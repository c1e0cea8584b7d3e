/** A page of a list that is sorted by name; those of the same name by id. */
export interface PageByName {
  /** The last one already shown; undefined: from the beginning. */
  after: { name: string; id: string } | undefined;
  limit: number;
}

/** What comes later than `after`. */
export function laterByName({ after }: Pick<PageByName, 'after'>) {
  if (!after) return {};
  return { $or: [{ name: { $gt: after.name } }, { name: after.name, id: { $gt: after.id } }] };
}
