import type { Words } from '../language/language.ts';

interface RequestWords {
  intro: string;
  heads: { at: string; request: string; answer: string; meaning: string; took: string };
  key: string;
  error: string;
  anyAnswer: string;
  show: string;
  noKeys: string;
  none: string;
  next: string;
  id: string;
}

export const REQUEST_WORDS: Words<RequestWords> = {
  en: {
    intro: 'What a program has asked with its key within the last week, refused requests too, latest first.',
    heads: { at: 'When', request: 'Request', answer: 'Answer', meaning: 'What it means', took: 'Took' },
    key: 'Key',
    error: 'Answer',
    anyAnswer: 'any',
    show: 'Show',
    noKeys: 'There is no key yet, so no program can have asked anything.',
    none: 'This key has asked nothing like that within the last week.',
    next: 'Older requests',
    id: 'Id',
  },
  pt: {
    intro:
      'O que um programa pediu com a sua chave na última semana, também o que foi recusado, do mais recente para o mais antigo.',
    heads: {
      at: 'Quando',
      request: 'Pedido',
      answer: 'Resposta',
      meaning: 'O que significa',
      took: 'Demorou',
    },
    key: 'Chave',
    error: 'Resposta',
    anyAnswer: 'qualquer',
    show: 'Mostrar',
    noKeys: 'Ainda não há chaves, por isso nenhum programa pode ter pedido nada.',
    none: 'Esta chave não pediu nada assim na última semana.',
    next: 'Pedidos mais antigos',
    id: 'Identificador',
  },
};
