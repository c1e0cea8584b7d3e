import type { DESK_WORDS_EN } from './desk-words-en.ts';

export const DESK_WORDS_PT: typeof DESK_WORDS_EN = {
  search: {
    title: 'Pesquisa',
    hint: {
      intro: 'A caixa acima encontra:',
      kinds: [
        'uma hora com o nome de uma clínica ou o host de um recetor: “Luz 10:30 ontem”, “10:30 5/3 pms.example.com”',
        'uma clínica por palavras do nome, um endpoint pelo host, uma chave pelo início (svc_live_…)',
        'o identificador de qualquer coisa: marcação, evento, entrega, endpoint, pedido, chamada, workflow',
        'o nome que um PMS dá a uma marcação ou a um paciente, com ou sem maiúsculas, e o telefone de um paciente',
      ],
    },
    none: 'Nada corresponde. O registo de pedidos recua uma semana.',
    noClinic:
      'Nenhuma clínica se chama assim. Escreva a hora com palavras do nome dela, ou com o host do recetor.',
  },
  found: {
    clinics: 'Clínicas',
    endpoints: 'Endpoints de webhook',
    keys: 'Chaves de API',
    numbered: 'Marcações com este número do PMS',
    phoned: 'Marcações com este telefone',
  },
  states: {
    trial: 'À experiência',
    active: 'Ativa',
    past_due: 'Pagamento em atraso',
    canceled: 'Cancelada',
  },
  heads: {
    appointment: 'Marcação',
    arrived: 'Webhooks',
    clinic: 'Clínica',
    event: 'Evento',
    happened: 'Hora',
    host: 'Recetor',
    key: 'Chave',
    lastUsed: 'Último uso',
    name: 'Nome',
    since: 'Desde',
    starts: 'Início',
    status: 'Estado',
    zone: 'Fuso horário',
  },
  about: {
    appointments: 'Marcações que começam por essa hora',
    noAppointments: 'Nenhuma começa a menos de um quarto de hora dessa hora.',
    deliveries: 'O que foi enviado por essa hora',
    noDeliveries: 'Nada havia a enviar a menos de um quarto de hora dessa hora.',
    nothingSent: 'nada havia a enviar',
    arrived: (arrived, all) => `chegaram ${arrived} de ${all}`,
  },
  clinic: {
    now: 'agora',
    country: 'País',
    timeHint: (name) => `Para o que aconteceu a uma hora, escreva na caixa acima: ${name} 10:30 ontem`,
    deliveries: 'Todas as entregas',
    noEndpoints: 'A clínica não tem endpoints de webhook, por isso nada é enviado a ninguém.',
    noKeys: 'A clínica não tem chaves.',
    good: 'Válida',
    over: 'Terminada',
    never: 'nunca',
  },
  list: { title: 'Entregas', none: 'Não há tal entrega.' },
  request: {
    title: 'Pedido',
    asked: 'Pediu',
    answer: 'Resposta',
    took: 'Demorou',
    notLogged: 'Não está no registo: veio há mais de uma semana, ou do painel.',
    changed: 'Marcações que alterou',
    change: 'Alteração',
    nothing: 'Não alterou nenhuma marcação.',
  },
  givenUp: {
    title: 'O que nunca chegou',
    text: 'Eventos dos últimos 30 dias que um recetor não tem: desistiu-se após seis tentativas, ou foram omitidos enquanto o endpoint estava desligado. O que chegou por outra entrega não conta.',
    none: 'Tudo chegou, ou ainda vai a caminho.',
    isOff: 'Fica de fora até a clínica o ligar.',
    isCanceled: 'Fica de fora: a clínica está cancelada.',
    events: 'Eventos',
    oldest: 'Mais antigo',
    resend: (count, shown) =>
      count === 1 ? 'Enviar um evento de novo' : `Enviar de novo os ${shown} eventos`,
    sent: (count, shown) =>
      count === 1
        ? 'Um evento é enviado de novo, na sua vez.'
        : `${shown} eventos são enviados de novo, na sua vez.`,
  },
};
