const MINUTE_MS = 60_000;

/** A session ends after this time without use. */
export const SESSION_IDLE_MS = 30 * MINUTE_MS;
/** And in any case this long after the sign-in: a working day. */
export const SESSION_LENGTH_MS = 12 * 60 * MINUTE_MS;
/** The length of a portal link's session, whatever its use. */
export const PORTAL_SESSION_MS = 60 * MINUTE_MS;
/** How long the owner of a form is known after its session ended: a long weekend. */
export const FORM_KNOWN_MS = 7 * 24 * 60 * MINUTE_MS;
/** How long a form of an ended session is saved for its owner. */
export const KEPT_FORM_MS = 60 * MINUTE_MS;
/** How long a portal link can be opened, once. */
export const PORTAL_LINK_MS = 10 * MINUTE_MS;

/** The longest sign-in. */
export const SIGN_IN_MS = 10 * MINUTE_MS;

/**
 * How often the identity provider is asked whether a person still has their role; with a minute for asking, five
 * minutes are never exceeded.
 */
export const CONFIRM_EVERY_MS = 4 * MINUTE_MS;
/** The next try after the provider was unreachable. */
export const CONFIRM_AGAIN_MS = MINUTE_MS;
/** The longest session without an answer from the provider. */
export const UNCONFIRMED_MOST_MS = 60 * MINUTE_MS;
/** The time for one check: three requests of five seconds, and a margin. */
export const CHECK_LEASE_MS = 20_000;
