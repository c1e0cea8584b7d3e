/** A page of a list that is sorted by name; those of the same name by id. */
export interface PageByName {
  /** The last one already shown; undefined: from the beginning. */
  after: { name: string; id: string } | undefined;
  limit: number;
}

/** Which of a clinic's people or services a list shows. */
export interface ListedByName {
  /** Those who are active only, by default. */
  withInactive?: boolean;
  /** Only the one that the clinic's other system calls so, active or not. */
  externalId?: string | undefined;
  /** All by default. */
  page?: PageByName;
}

/** Arranged as a list by name is. */
export function listedByName(tenantId: string, { withInactive = false, externalId, page }: ListedByName) {
  const shown = externalId === undefined ? !withInactive && { active: true } : { externalId };
  const after = page?.after;
  const later = after && {
    $or: [{ name: { $gt: after.name } }, { name: after.name, id: { $gt: after.id } }],
  };
  return {
    where: { tenantId, ...shown, ...later },
    options: { orderBy: { name: 'asc', id: 'asc' }, ...(page && { limit: page.limit }) } as const,
  };
}
