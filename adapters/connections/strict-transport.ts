/** The HSTS header for a service with an https address. @param url the public address of the service */
export function strictTransport(url: string): Record<string, string> {
  return url.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {};
}
