/** What was wrong with a receiver's TLS, if it is known: docs/webhooks.md#what-is-wrong-with-tls */
export const TLS_FAULTS = [
  'certificate_expired',
  'certificate_not_yet_valid',
  'wrong_host',
  'self_signed',
  'unknown_issuer',
  'wrong_purpose',
  'weak_key',
  'weak_signature',
  'old_version',
  'no_common_cipher',
  'not_tls',
] as const;
export type TlsFault = (typeof TLS_FAULTS)[number];

/** Faults by Node's error codes, which come from OpenSSL: verification codes, and handshake codes after `ERR_SSL_`. */
const BY_CODE: Record<string, TlsFault> = {
  CERT_HAS_EXPIRED: 'certificate_expired',
  CERT_NOT_YET_VALID: 'certificate_not_yet_valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong_host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown_issuer',
  UNABLE_TO_GET_ISSUER_CERT: 'unknown_issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown_issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown_issuer',
  INVALID_PURPOSE: 'wrong_purpose',
  ERR_SSL_DH_KEY_TOO_SMALL: 'weak_key',
  ERR_SSL_EE_KEY_TOO_SMALL: 'weak_key',
  ERR_SSL_CA_MD_TOO_WEAK: 'weak_signature',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'old_version',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'old_version',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: 'no_common_cipher',
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE': 'no_common_cipher',
  ERR_SSL_WRONG_VERSION_NUMBER: 'not_tls',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'not_tls',
};

/** Faults by OpenSSL's messages for which Node has no code. */
const BY_REASON: [RegExp, TlsFault][] = [
  [/certificate key too weak/i, 'weak_key'],
  [/signature digest algorithm too weak/i, 'weak_signature'],
];

/** The fault of an error; null if it is none of these. */
export function tlsFaultOf({ code, message }: { code: string; message: string }): TlsFault | null {
  return BY_CODE[code] ?? BY_REASON.find(([reason]) => reason.test(message))?.[1] ?? null;
}
