/** Where the identity provider sends people back to: it must know both. docs/dashboard.md#sign-in */
export function returnAddresses(dashboardUrl: string) {
  return { callbackUrl: `${dashboardUrl}/signed-in`, signedOutUrl: `${dashboardUrl}/signed-out` };
}
