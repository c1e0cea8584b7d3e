/** An international number, E.164: a plus sign and up to 15 digits, the first not zero. */
export const E164 = /^\+[1-9]\d{1,14}$/;
