import { words } from '../language/language.ts';

export const REQUEST_WORDS = words({
  en: {
    intro:
      'API requests of the last 7 days, including refused ones, newest first. We keep only the names of the fields that were sent, never their values.',
    search: 'Find a request or a key',
    searchHint: 'By request ID (X-Request-Id), or by the name or beginning of an API key.',
    find: 'Find',
    heads: { at: 'When', request: 'Request', answer: 'Response', took: 'Duration' },
    key: 'Key',
    answer: 'Response',
    refused: 'Refused',
    fields: 'Fields',
    wrong: 'Invalid',
    noKeys: 'There are no API keys yet, so there are no requests.',
    none: 'No requests match in the last 7 days.',
    next: 'Older requests',
    id: 'ID',
  },
  pt: {
    intro:
      'Pedidos à API nos últimos 7 dias, incluindo os recusados, dos mais recentes para os mais antigos. Só guardamos os nomes dos campos enviados, nunca os valores.',
    search: 'Procurar um pedido ou uma chave',
    searchHint: 'Pelo ID do pedido (X-Request-Id), ou pelo nome ou início de uma chave de API.',
    find: 'Procurar',
    heads: { at: 'Quando', request: 'Pedido', answer: 'Resposta', took: 'Duração' },
    key: 'Chave',
    answer: 'Resposta',
    refused: 'Recusados',
    fields: 'Campos',
    wrong: 'Inválido',
    noKeys: 'Ainda não há chaves de API, por isso não há pedidos.',
    none: 'Nenhum pedido corresponde nos últimos 7 dias.',
    next: 'Pedidos mais antigos',
    id: 'ID',
  },
});
