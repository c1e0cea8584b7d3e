import type { LiveSession } from '../../db/people/use-session.ts';
import type { Format } from '../language/format.ts';
import type { Language } from '../language/language.ts';

/** How a page is to be shown, and to whom. */
export interface View {
  language: Language;
  format: Format;
  session: LiveSession;
  /** The address of the page, with what follows the question mark. */
  address: string;
  /** The folder of scripts and styles, from the root. */
  assets: string;
  /** The address that the addresses of guides begin with. */
  guides: string;
  now: Date;
}
