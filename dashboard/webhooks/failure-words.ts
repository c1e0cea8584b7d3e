import type { ErrorClass } from '../../domain/webhooks/attempt-error.ts';
import type { Words } from '../language/language.ts';

interface Failure {
  /** What happened. */
  title: string;
  /** What to do about it. */
  remedy: string;
}

/** The meaning of each error class for people: docs/webhooks.md#what-each-error-means */
export const FAILURE_WORDS: Words<Record<ErrorClass, Failure>> = {
  en: {
    dns_error: {
      title: 'Host name not found',
      remedy: 'Check the spelling of the URL and the domain’s DNS records.',
    },
    blocked_address: {
      title: 'The host name resolves to a private address',
      remedy: 'Point the host name to a public internet address. We never send webhooks to private networks.',
    },
    connect_error: {
      title: 'Connection refused',
      remedy: 'Check that the server is running, that the port is right and that no firewall blocks us.',
    },
    connect_timeout: {
      title: 'Connection timed out',
      remedy: 'Check the address, the firewall (it may drop our packets) and the load of the host.',
    },
    tls_error: {
      title: 'Invalid TLS certificate',
      remedy: 'Renew the certificate, install its full chain for this host name, and allow TLS 1.2 or 1.3.',
    },
    deadline_exceeded: {
      title: 'The endpoint did not answer within 10 seconds',
      remedy: 'Store the event, answer at once, and do slow work afterwards.',
    },
    connection_lost: {
      title: 'Connection lost before the answer',
      remedy: 'Check the receiver for crashes, and the time-outs of any proxy in front of it.',
    },
    redirect: {
      title: 'The endpoint redirected us',
      remedy: 'We don’t follow redirects. Change the endpoint’s URL to the final address.',
    },
    http_4xx: {
      title: 'The endpoint rejected the event',
      remedy:
        '401: check the signing secret, and verify the raw body. 403: often a firewall. 404: wrong path. 413: the endpoint limits the size.',
    },
    http_5xx: {
      title: 'The endpoint failed',
      remedy: 'Check the receiver’s log at the time of the attempt. With 502 to 504, its server may be down.',
    },
    invalid_response: {
      title: 'The answer was not HTTP',
      remedy: 'Another program probably uses this port, or the response headers are too large.',
    },
  },
  pt: {
    dns_error: {
      title: 'Nome do servidor não encontrado',
      remedy: 'Verifique se o URL está bem escrito e os registos DNS do domínio.',
    },
    blocked_address: {
      title: 'O nome do servidor aponta para um endereço privado',
      remedy:
        'Aponte o nome para um endereço público da internet. Nunca enviamos webhooks para redes privadas.',
    },
    connect_error: {
      title: 'Ligação recusada',
      remedy:
        'Verifique se o servidor está a funcionar, se a porta está certa e se nenhuma firewall nos bloqueia.',
    },
    connect_timeout: {
      title: 'Tempo de ligação esgotado',
      remedy: 'Verifique o endereço, a firewall (pode descartar os nossos pedidos) e a carga do servidor.',
    },
    tls_error: {
      title: 'Certificado TLS inválido',
      remedy: 'Renove o certificado, instale a cadeia completa para este nome e permita TLS 1.2 ou 1.3.',
    },
    deadline_exceeded: {
      title: 'O endpoint não respondeu em 10 segundos',
      remedy: 'Guarde o evento, responda logo e faça depois o trabalho demorado.',
    },
    connection_lost: {
      title: 'Ligação perdida antes da resposta',
      remedy: 'Procure falhas no recetor e limites de tempo de um proxy à frente dele.',
    },
    redirect: {
      title: 'O endpoint redirecionou-nos',
      remedy: 'Não seguimos redirecionamentos. Mude o URL do endpoint para o endereço final.',
    },
    http_4xx: {
      title: 'O endpoint recusou o evento',
      remedy:
        '401: verifique o segredo de assinatura e use o corpo original. 403: muitas vezes uma firewall. 404: caminho errado. 413: limite de tamanho.',
    },
    http_5xx: {
      title: 'O endpoint falhou',
      remedy: 'Veja o registo do recetor à hora da tentativa. Com 502 a 504, o servidor pode estar em baixo.',
    },
    invalid_response: {
      title: 'A resposta não era HTTP',
      remedy:
        'Provavelmente outro programa usa esta porta, ou os cabeçalhos da resposta são demasiado grandes.',
    },
  },
};
