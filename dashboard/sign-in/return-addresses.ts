/**
 * The addresses to which the identity provider sends people back. Both must be registered there:
 * docs/dashboard.md#sign-in
 */
export function returnAddresses(dashboardUrl: string) {
  return { callbackUrl: `${dashboardUrl}/signed-in`, signedOutUrl: `${dashboardUrl}/signed-out` };
}
