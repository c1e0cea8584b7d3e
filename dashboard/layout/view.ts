import type { LiveSession } from '../../db/people/use-session.ts';
import type { Format } from '../language/format.ts';
import type { Language } from '../language/language.ts';

/** How and for whom a page is rendered. */
export interface View {
  language: Language;
  format: Format;
  session: LiveSession;
  /** The page's address with its query string. */
  address: string;
  /** The path of scripts and styles. */
  assets: string;
  /** The base address of the guides. */
  guides: string;
  now: Date;
}

/** A count that stops at `most`, which is then shown with a plus. */
export function upTo({ format }: Pick<View, 'format'>, count: number, most: number): string {
  return `${format.number(count)}${count >= most ? '+' : ''}`;
}
