/** What the identity provider says of a person. */
export interface Identity {
  issuer: string;
  /** Their name for the provider, which never changes. */
  subject: string;
  name: string;
  /** As in the claims; null where there is no such claim. */
  organisation: string | null;
  role: string | null;
  /** Whether the organisation is the one whose support is believed: OIDC_SUPPORT_ORGANIZATION. */
  isOfSupport: boolean;
}
