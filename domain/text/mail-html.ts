import { END_OF_ISOLATE, ISOLATE } from './isolated-text.ts';

const HTML_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * A text for the HTML of a mail. Mail programs support `<bdi>` better than the Unicode marks, which only the plain text
 * keeps.
 */
export function mailHtml(text: string): string {
  return text
    .replace(/[&<>"]/g, (character) => HTML_ENTITIES[character] ?? character)
    .replaceAll(ISOLATE, '<bdi>')
    .replaceAll(END_OF_ISOLATE, '</bdi>');
}
