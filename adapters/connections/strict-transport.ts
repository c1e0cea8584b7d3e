/** The HSTS header for a service with an https address. @param url its public address */
export function strictTransport(url: string): Record<string, string> {
  return url.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {};
}
