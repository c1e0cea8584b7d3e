const MINUTE_MS = 60_000;

/** A session ends when no one has used it for so long. */
export const SESSION_IDLE_MS = 30 * MINUTE_MS;
/** And in any case so long after the sign-in: a working day. */
export const SESSION_LENGTH_MS = 12 * 60 * MINUTE_MS;
/** One that a portal link opened ends so long after, however much it is used. */
export const PORTAL_SESSION_MS = 60 * MINUTE_MS;
/** Whose a form is, is known for so long after the session of its page has ended: over a weekend and more. */
export const FORM_KNOWN_MS = 7 * 24 * 60 * MINUTE_MS;
/** What was typed into a form whose session had ended is kept for so long, until its owner is signed in again. */
export const KEPT_FORM_MS = 60 * MINUTE_MS;
/** A link to the portal can be opened for so long, once. */
export const PORTAL_LINK_MS = 10 * MINUTE_MS;

/** What a sign-in that has begun takes at most. */
export const SIGN_IN_MS = 10 * MINUTE_MS;

/** The identity provider is asked so often whether someone still has their role; with a minute for the asking, five are never passed. */
export const CONFIRM_EVERY_MS = 4 * MINUTE_MS;
/** It is asked again so long after it could not be reached. */
export const CONFIRM_AGAIN_MS = MINUTE_MS;
/** No one is signed in for longer after it last said so, however long it is away. */
export const UNCONFIRMED_MOST_MS = 60 * MINUTE_MS;
/** Anyone who asks has so long to say what became of it: three requests of five seconds, and some. */
export const CHECK_LEASE_MS = 20_000;
