const MINUTE_MS = 60_000;

/** A session ends after this time without use. */
export const SESSION_IDLE_MS = 30 * MINUTE_MS;
/** The maximum length of a session after the sign-in: a working day. */
export const SESSION_LENGTH_MS = 12 * 60 * MINUTE_MS;
/** The length of a portal link's session. */
export const PORTAL_SESSION_MS = 60 * MINUTE_MS;
/** How long the owner of a form can be recognised after the session ended: a long weekend. */
export const FORM_KNOWN_MS = 7 * 24 * 60 * MINUTE_MS;
/** How long a form of an ended session is saved for its owner. */
export const KEPT_FORM_MS = 60 * MINUTE_MS;
/** How long a portal link can be opened. */
export const PORTAL_LINK_MS = 10 * MINUTE_MS;

/** The maximum duration of a sign-in. */
export const SIGN_IN_MS = 10 * MINUTE_MS;

/**
 * How often the identity provider is asked whether a person still has their role; with a minute for the check, a lost
 * role is noticed within five minutes.
 */
export const CONFIRM_EVERY_MS = 4 * MINUTE_MS;
/** When to try again after the provider was unreachable. */
export const CONFIRM_AGAIN_MS = MINUTE_MS;
/** How long a session continues without a response from the provider. */
export const UNCONFIRMED_MOST_MS = 60 * MINUTE_MS;
/** The time for one check: three requests of five seconds, and a margin. */
export const CHECK_LEASE_MS = 20_000;
