/** A page of a list sorted by name, then by id. */
export interface PageByName {
  /** The last item already shown; undefined at the start. */
  after: { name: string; id: string } | undefined;
  limit: number;
}

/** Which professionals or services of a clinic a list shows. */
export interface ListedByName {
  /** By default, only active ones. */
  withInactive?: boolean;
  /** Only the item with this external ID, active or not. */
  externalId?: string | undefined;
  /** All by default. */
  page?: PageByName;
}

/** Filters and sorts a list by name. */
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
