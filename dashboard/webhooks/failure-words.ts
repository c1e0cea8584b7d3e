import type { ErrorClass } from '../../domain/webhooks/attempt-error.ts';
import type { Words } from '../language/language.ts';

interface Failure {
  /** What happened. */
  title: string;
  /** What to do about it. */
  remedy: string;
}

/** What each error class means, for people: docs/webhooks.md#what-each-error-means */
export const FAILURE_WORDS: Words<Record<ErrorClass, Failure>> = {
  en: {
    dns_error: {
      title: 'The host name was not found',
      remedy: 'Check the spelling of the URL and the DNS records of the domain.',
    },
    blocked_address: {
      title: 'The host name leads to an address that is not public',
      remedy: 'Let the name lead to a public internet address; webhooks never enter private networks.',
    },
    connect_error: {
      title: 'The receiver refused the connection',
      remedy: 'Check that the server is running, that the port is right, and that no firewall refuses us.',
    },
    connect_timeout: {
      title: 'No connection came about in time',
      remedy: 'Often a firewall that drops what it does not know, a wrong address or an overloaded host.',
    },
    tls_error: {
      title: 'The receiver’s certificate is not valid',
      remedy: 'Renew the certificate, install its whole chain for this very name, and allow TLS 1.2 or 1.3.',
    },
    deadline_exceeded: {
      title: 'The receiver did not answer within 10 seconds',
      remedy: 'Let it store the event, answer at once, and do the slow work afterwards.',
    },
    connection_lost: {
      title: 'The connection broke off before the answer',
      remedy: 'Look for crashes of the receiver, and for time limits of a proxy in front of it.',
    },
    redirect: {
      title: 'The receiver sent us to another address',
      remedy: 'Redirects are not followed: change the URL of the endpoint to the final address.',
    },
    http_4xx: {
      title: 'The receiver refused the event',
      remedy:
        'With 401 check the secret and the raw body; 403 is often a firewall; 404 is a wrong path; 413 a limit on size.',
    },
    http_5xx: {
      title: 'The receiver failed',
      remedy:
        'Look into the receiver’s log at the time of the attempt; with 502 to 504 its server may be down.',
    },
    invalid_response: {
      title: 'What came back is not an answer to HTTP',
      remedy: 'The port probably belongs to another program, or the headers of the answer are too large.',
    },
  },
  pt: {
    dns_error: {
      title: 'O nome do servidor não foi encontrado',
      remedy: 'Verifique como o URL está escrito e os registos DNS do domínio.',
    },
    blocked_address: {
      title: 'O nome do servidor leva a um endereço que não é público',
      remedy:
        'O nome tem de levar a um endereço público da internet; os webhooks nunca entram em redes privadas.',
    },
    connect_error: {
      title: 'O recetor recusou a ligação',
      remedy:
        'Verifique se o servidor está a funcionar, se a porta está certa e se nenhuma firewall nos recusa.',
    },
    connect_timeout: {
      title: 'A ligação não se estabeleceu a tempo',
      remedy:
        'É muitas vezes uma firewall que descarta pedidos, um endereço errado ou um servidor sobrecarregado.',
    },
    tls_error: {
      title: 'O certificado do recetor não é válido',
      remedy: 'Renove o certificado, instale a cadeia completa para este nome e permita TLS 1.2 ou 1.3.',
    },
    deadline_exceeded: {
      title: 'O recetor não respondeu em 10 segundos',
      remedy: 'Deve guardar o evento, responder logo e fazer depois o trabalho demorado.',
    },
    connection_lost: {
      title: 'A ligação caiu antes da resposta',
      remedy: 'Procure falhas do recetor e limites de tempo de um proxy à frente dele.',
    },
    redirect: {
      title: 'O recetor enviou-nos para outro endereço',
      remedy: 'Os redirecionamentos não são seguidos: mude o URL do endpoint para o endereço final.',
    },
    http_4xx: {
      title: 'O recetor recusou o evento',
      remedy:
        'Com 401 verifique o segredo e o corpo original; 403 é muitas vezes uma firewall; 404 é um caminho errado; 413 um limite de tamanho.',
    },
    http_5xx: {
      title: 'O recetor falhou',
      remedy: 'Veja o registo do recetor à hora da tentativa; com 502 a 504 o servidor pode estar em baixo.',
    },
    invalid_response: {
      title: 'O que voltou não é uma resposta HTTP',
      remedy:
        'A porta pertence provavelmente a outro programa, ou os cabeçalhos da resposta são demasiado grandes.',
    },
  },
};
