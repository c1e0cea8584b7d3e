import type { ErrorClass } from '../../domain/webhooks/attempt-error.ts';
import type { TlsFault } from '../../domain/webhooks/tls-fault.ts';
import type { Language, Words } from '../language/language.ts';

interface Failure {
  /** What happened. */
  title: string;
  /** What to do about it. */
  remedy: string;
}

/** The most precise description of what happened in a failed attempt. */
export function failureOf(language: Language, errorClass: ErrorClass, tlsFault: TlsFault | null): Failure {
  return tlsFault === null ? FAILURE_WORDS[language][errorClass] : TLS_WORDS[language][tlsFault];
}

/** What to do about a failed attempt: about its status code if that says more. */
export function remedyOf(
  language: Language,
  { errorClass, tlsFault, responseStatus }: FailedAttempt,
): string {
  return (
    (responseStatus !== null && STATUS_REMEDIES[language][responseStatus]) ||
    failureOf(language, errorClass, tlsFault).remedy
  );
}

interface FailedAttempt {
  errorClass: ErrorClass;
  tlsFault: TlsFault | null;
  responseStatus: number | null;
}

const STATUS_REMEDIES: Words<Partial<Record<number, string>>> = {
  en: {
    401: 'Check the signing secret and verify the raw body.',
    403: 'A firewall may reject the request.',
    404: 'The path in the URL is wrong.',
    413: 'The endpoint limits the size of requests.',
  },
  pt: {
    401: 'Verifique se o segredo de assinatura está certo e se é verificado o corpo original.',
    403: 'Uma firewall pode estar a recusar o pedido.',
    404: 'O caminho no URL está errado.',
    413: 'O endpoint limita o tamanho dos pedidos.',
  },
};

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
      remedy: 'Install a certificate from a public certificate authority.',
    },
    unknown_issuer: {
      title: 'The TLS certificate chain is incomplete, or the certificate authority is unknown',
      remedy:
        'Install a certificate from a public certificate authority, with all intermediate certificates.',
    },
    wrong_purpose: {
      title: 'The TLS certificate is not meant for servers',
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
      title: 'The server accepted none of our TLS ciphers',
      remedy: 'Allow TLS 1.2 or 1.3 with current ciphers on the server.',
    },
    not_tls: {
      title: 'The port does not speak TLS',
      remedy: 'Check the port in the URL. The port may be meant for plain HTTP.',
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
      title: 'O certificado TLS é para outro nome de servidor',
      remedy: 'Instale um certificado para o nome que está no URL.',
    },
    self_signed: {
      title: 'O certificado TLS é autoassinado',
      remedy: 'Instale um certificado de uma autoridade de certificação pública.',
    },
    unknown_issuer: {
      title: 'A cadeia do certificado TLS está incompleta ou a autoridade de certificação é desconhecida',
      remedy:
        'Instale um certificado de uma autoridade de certificação pública, com todos os certificados intermédios.',
    },
    wrong_purpose: {
      title: 'O certificado TLS não se destina a servidores',
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
      title: 'O servidor só aceita versões antigas do TLS',
      remedy: 'Permita TLS 1.2 ou 1.3 no servidor.',
    },
    no_common_cipher: {
      title: 'O servidor não aceitou nenhuma das nossas cifras TLS',
      remedy: 'Permita TLS 1.2 ou 1.3 com cifras atuais no servidor.',
    },
    not_tls: {
      title: 'A porta não usa TLS',
      remedy: 'Verifique a porta no URL. Pode ser a porta de HTTP sem TLS.',
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
      remedy:
        'Check whether the address is right, whether a firewall drops our packets and whether the server is overloaded.',
    },
    tls_error: {
      title: 'Invalid TLS certificate',
      remedy: 'Renew the certificate, install its full chain for this host name, and allow TLS 1.2 or 1.3.',
    },
    deadline_exceeded: {
      title: 'The endpoint did not respond within 10 seconds',
      remedy: 'Store the event, respond immediately, and do slow work afterwards.',
    },
    connection_lost: {
      title: 'Connection lost before the response',
      remedy:
        'Check whether the receiver crashed, and whether a proxy in front of it has too short a time-out.',
    },
    redirect: {
      title: 'The endpoint redirected us',
      remedy: 'We don’t follow redirects. Change the endpoint’s URL to the final address.',
    },
    http_4xx: {
      title: 'The endpoint rejected the event',
      remedy: 'Check the receiver’s log at the time of the attempt.',
    },
    http_5xx: {
      title: 'The endpoint failed',
      remedy:
        'Check the receiver’s log at the time of the attempt. If the status is 502, 503 or 504, the server may be down.',
    },
    invalid_response: {
      title: 'The response was not HTTP',
      remedy: 'Another program probably uses this port, or the response headers are too large.',
    },
  },
  pt: {
    dns_error: {
      title: 'Nome do servidor não encontrado',
      remedy: 'Verifique se o URL está bem escrito e se os registos DNS do domínio estão certos.',
    },
    blocked_address: {
      title: 'O nome do servidor aponta para um endereço privado',
      remedy:
        'Faça o nome do servidor apontar para um endereço público da internet. Nunca enviamos webhooks para redes privadas.',
    },
    connect_error: {
      title: 'Ligação recusada',
      remedy:
        'Verifique se o servidor está a funcionar, se a porta está certa e se nenhuma firewall nos bloqueia.',
    },
    connect_timeout: {
      title: 'Tempo de ligação esgotado',
      remedy:
        'Verifique se o endereço está certo, se uma firewall descarta os nossos pacotes e se o servidor está sobrecarregado.',
    },
    tls_error: {
      title: 'Certificado TLS inválido',
      remedy:
        'Renove o certificado, instale a cadeia completa do certificado para este nome de servidor e permita TLS 1.2 ou 1.3.',
    },
    deadline_exceeded: {
      title: 'O endpoint não respondeu no prazo de 10 segundos',
      remedy: 'Guarde o evento, responda de imediato e faça depois o trabalho demorado.',
    },
    connection_lost: {
      title: 'Ligação perdida antes da resposta',
      remedy:
        'Verifique se o recetor falhou e se um proxy à frente do recetor tem um limite de tempo demasiado curto.',
    },
    redirect: {
      title: 'O endpoint redirecionou-nos',
      remedy: 'Não seguimos redirecionamentos. Mude o URL do endpoint para o endereço final.',
    },
    http_4xx: {
      title: 'O endpoint recusou o evento',
      remedy: 'Veja o registo do recetor à hora da tentativa.',
    },
    http_5xx: {
      title: 'O endpoint falhou',
      remedy:
        'Veja o registo do recetor à hora da tentativa. Se o estado for 502, 503 ou 504, o servidor pode estar em baixo.',
    },
    invalid_response: {
      title: 'A resposta não era HTTP',
      remedy:
        'Provavelmente, outro programa está a usar esta porta, ou os cabeçalhos da resposta são demasiado grandes.',
    },
  },
};
