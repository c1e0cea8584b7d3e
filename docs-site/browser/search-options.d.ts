import type { Options } from 'minisearch';

export declare const SEARCH_OPTIONS: Options;
export declare function searchTerm(word: string): string | null;
