export interface AcceptedNotice {
  /** Why the package is used all the same. */
  reason: string;
  /** The last day on which the reason counts, `YYYY-MM-DD`. */
  until: string;
}

/**
 * Notices that do not stop a release, by `name@version` of a deprecated package or by the id of an advisory
 * (`GHSA-…`).
 */
export const ACCEPTED_NOTICES: Readonly<Record<string, AcceptedNotice>> = {};
