import type { ErrorClass } from '../../domain/webhooks/attempt-error.ts';
import type { TlsFault } from '../../domain/webhooks/tls-fault.ts';
import type { Language, Words } from '../language/language.ts';

interface Failure {
  /** What happened. */
  title: string;
  /** What to do about it. */
  remedy: string;
}

/** What happened in an attempt that failed, as exactly as it is known. */
export function failureOf(language: Language, errorClass: ErrorClass, tlsFault: TlsFault | null): Failure {
  return tlsFault === null ? FAILURE_WORDS[language][errorClass] : TLS_WORDS[language][tlsFault];
}

/** docs/webhooks.md#what-is-wrong-with-tls */
const TLS_WORDS: Words<Record<TlsFault, Failure>> = {
  en: {
    certificate_expired: {
      title: 'The TLS certificate has expired',
      remedy: 'Renew the certificate and reload the server.',
    },
    certificate_not_yet_valid: {
      title: 'The TLS certificate is not valid yet',
      remedy: 'Check the clock of the machine that issued the certificate.',
    },
    wrong_host: {
      title: 'The TLS certificate is for another host name',
      remedy: 'Install a certificate for the host name in the URL.',
    },
    self_signed: {
      title: 'The TLS certificate is self-signed',
      remedy: 'Install a certificate of a public authority.',
    },
    unknown_issuer: {
      title: 'The TLS certificate chain is incomplete or its authority is unknown',
      remedy: 'Install the full chain with the intermediate certificates of a public authority.',
    },
    wrong_purpose: {
      title: 'The TLS certificate is not one for servers',
      remedy: 'Install a server certificate for the host name in the URL.',
    },
    weak_key: {
      title: 'The TLS key is too short',
      remedy: 'Use an RSA key with at least 2048 bits, or ECDSA.',
    },
    weak_signature: {
      title: 'The TLS certificate has an outdated signature',
      remedy: 'Get a new certificate, signed with SHA-256.',
    },
    old_version: {
      title: 'The server supports only old TLS versions',
      remedy: 'Allow TLS 1.2 or 1.3 on the server.',
    },
    no_common_cipher: {
      title: 'The server refused our TLS ciphers',
      remedy: 'Allow TLS 1.2 or 1.3 with current ciphers on the server.',
    },
    not_tls: {
      title: 'The port does not speak TLS',
      remedy: 'Check the port in the URL. It may be the one for plain HTTP.',
    },
  },
  pt: {
    certificate_expired: {
      title: 'O certificado TLS expirou',
      remedy: 'Renove o certificado e recarregue o servidor.',
    },
    certificate_not_yet_valid: {
      title: 'O certificado TLS ainda não é válido',
      remedy: 'Verifique o relógio da máquina que emitiu o certificado.',
    },
    wrong_host: {
      title: 'O certificado TLS é de outro nome de servidor',
      remedy: 'Instale um certificado para o nome que está no URL.',
    },
    self_signed: {
      title: 'O certificado TLS é autoassinado',
      remedy: 'Instale um certificado de uma autoridade pública.',
    },
    unknown_issuer: {
      title: 'A cadeia do certificado TLS está incompleta ou a autoridade é desconhecida',
      remedy: 'Instale a cadeia completa, com os certificados intermédios de uma autoridade pública.',
    },
    wrong_purpose: {
      title: 'O certificado TLS não é de servidor',
      remedy: 'Instale um certificado de servidor para o nome que está no URL.',
    },
    weak_key: {
      title: 'A chave TLS é demasiado curta',
      remedy: 'Use uma chave RSA de 2048 bits ou mais, ou ECDSA.',
    },
    weak_signature: {
      title: 'O certificado TLS tem uma assinatura desatualizada',
      remedy: 'Obtenha um certificado novo, assinado com SHA-256.',
    },
    old_version: {
      title: 'O servidor só suporta versões antigas de TLS',
      remedy: 'Permita TLS 1.2 ou 1.3 no servidor.',
    },
    no_common_cipher: {
      title: 'O servidor recusou as nossas cifras TLS',
      remedy: 'Permita TLS 1.2 ou 1.3 com cifras atuais no servidor.',
    },
    not_tls: {
      title: 'A porta não usa TLS',
      remedy: 'Verifique a porta no URL. Pode ser a de HTTP sem TLS.',
    },
  },
};

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
