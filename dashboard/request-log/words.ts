import { words } from '../language/language.ts';

export const REQUEST_WORDS = words({
  en: {
    intro:
      'What a program has asked with its key within the last week, refused requests too, latest first. Of what it sent we keep the names of the fields, never what stood in them.',
    search: 'Find a request or a key',
    searchHint: 'By the id of a request (X-Request-Id), the name of a key, or how the key begins.',
    find: 'Find',
    heads: { at: 'When', request: 'Request', answer: 'Answer', took: 'Took' },
    key: 'Key',
    answer: 'Answer',
    refused: 'Refused',
    fields: 'Fields',
    wrong: 'Wrong',
    noKeys: 'There is no key yet, so no program can have asked anything.',
    none: 'No request is like that, within the last week.',
    next: 'Older requests',
    id: 'Id',
  },
  pt: {
    intro:
      'O que um programa pediu com a sua chave na última semana, também o que foi recusado, do mais recente para o mais antigo. Do que enviou guardamos os nomes dos campos, nunca o que lá estava.',
    search: 'Procurar um pedido ou uma chave',
    searchHint:
      'Pelo identificador de um pedido (X-Request-Id), pelo nome de uma chave ou pelo início da chave.',
    find: 'Procurar',
    heads: { at: 'Quando', request: 'Pedido', answer: 'Resposta', took: 'Demorou' },
    key: 'Chave',
    answer: 'Resposta',
    refused: 'Recusados',
    fields: 'Campos',
    wrong: 'Errado',
    noKeys: 'Ainda não há chaves, por isso nenhum programa pode ter pedido nada.',
    none: 'Não há pedidos assim na última semana.',
    next: 'Pedidos mais antigos',
    id: 'Identificador',
  },
});
