import { words } from '../language/language.ts';
import { DESK_WORDS_EN } from './desk-words-en.ts';
import { DESK_WORDS_PT } from './desk-words-pt.ts';

export const DESK_WORDS = words({ en: DESK_WORDS_EN, pt: DESK_WORDS_PT });
