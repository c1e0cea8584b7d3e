import { words } from '../language/language.ts';

export const REQUEST_WORDS = words({
  en: {
    intro:
      'API requests of the last 7 days, including refused ones, newest first. Only the names of the fields sent are stored, never their values.',
    search: 'Find a request or an API key',
    searchHint: 'Enter a request ID (X-Request-Id), or the name or beginning of an API key.',
    find: 'Find',
    heads: { at: 'When', request: 'Request', answer: 'Response', took: 'Duration' },
    key: 'Key',
    answer: 'Response',
    refused: 'Refused',
    fields: 'Fields',
    wrong: 'Invalid',
    noKeys: 'There are no API keys yet, so there are no requests.',
    none: 'No requests of the last 7 days match these filters.',
    next: 'Older requests',
    id: 'ID',
  },
  pt: {
    intro:
      'Pedidos à API nos últimos 7 dias, incluindo os recusados, do mais recente para o mais antigo. Só guardamos os nomes dos campos enviados, nunca os valores desses campos.',
    search: 'Procurar um pedido ou uma chave de API',
    searchHint: 'Escreva o ID do pedido (X-Request-Id), ou o nome ou o início de uma chave de API.',
    find: 'Procurar',
    heads: { at: 'Quando', request: 'Pedido', answer: 'Resposta', took: 'Duração' },
    key: 'Chave',
    answer: 'Resposta',
    refused: 'Recusados',
    fields: 'Campos',
    wrong: 'Inválidos',
    noKeys: 'Ainda não há chaves de API, por isso não há pedidos.',
    none: 'Nenhum pedido dos últimos 7 dias corresponde aos filtros.',
    next: 'Pedidos mais antigos',
    id: 'ID',
  },
});
