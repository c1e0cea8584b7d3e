/** The identity provider's claims about a person. */
export interface Identity {
  issuer: string;
  /** The provider's permanent id for the person. */
  subject: string;
  name: string;
  /** The organisation; null without the claim. */
  organisation: string | null;
  role: string | null;
  /** Whether the organisation is that of our support staff: OIDC_SUPPORT_ORGANIZATION. */
  isOfSupport: boolean;
}
