/** An international number, E.164: a plus sign, and at most 15 digits of which the first is no zero. */
export const E164 = /^\+[1-9]\d{1,14}$/;
