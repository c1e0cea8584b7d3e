/** For a service that people reach over https, so that browsers never ask it without. @param url how they reach it */
export function strictTransport(url: string): Record<string, string> {
  return url.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {};
}
