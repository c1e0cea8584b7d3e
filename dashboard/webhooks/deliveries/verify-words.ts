import type { BodyChange } from '../../../domain/webhooks/check-signature.ts';
import { words } from '../../language/language.ts';

/** About a signature that a receiver does not understand. */
export const VERIFY_WORDS = words({
  en: {
    title: 'Verify my signature',
    text: 'Does your receiver refuse the signature? Paste what arrived there; we say what is the matter. The secret is not needed: never paste it.',
    header: 'The header X-Service-Signature',
    body: 'The body, exactly as it arrived',
    button: 'Verify',
    unreadable: 'This is no signature header: it reads t=<seconds>,v1=<64 hexadecimal digits>.',
    current: (made: string) => `the current secret, made ${made}`,
    old: (made: string, ends: string) => `an old secret, made ${made}, which ends ${ends}`,
    fits: (secret: string) =>
      `The signature is right: it fits ${secret}. If your receiver refuses it, it uses another secret or other bytes than the raw body.`,
    otherEvent: 'But the body is not that of this delivery: it belongs to another event.',
    stale: (age: string) =>
      `It was signed ${age}. Receivers refuse it after five minutes; if yours did so at once, its clock is wrong.`,
    changed: (secret: string) =>
      `The signature is ours and fits ${secret}, but the body is not the one that we sent.`,
    changes: {
      whitespace:
        'There is white space around it, such as a line break at its end. Verify the bytes as they arrive.',
      reformatted:
        'It is the same JSON, written anew: your framework has parsed it before you verify. Verify the raw body.',
      other: 'It says something else: it belongs to another event, or somebody changed it on the way.',
    } satisfies Record<BodyChange, string>,
    notOurs: 'No valid secret of the endpoint gives this signature.',
    ofAttempt:
      'An attempt was made at that time, so it was signed with a secret that has ended since, or a character got lost in copying.',
    ofNoAttempt:
      'This delivery was not signed at that time either: the header belongs to another delivery, or does not come from us.',
  },
  pt: {
    title: 'Verificar a minha assinatura',
    text: 'O seu recetor recusa a assinatura? Cole o que lá chegou; dizemos qual é o problema. O segredo não é preciso: nunca o cole.',
    header: 'O cabeçalho X-Service-Signature',
    body: 'O corpo, exatamente como chegou',
    button: 'Verificar',
    unreadable:
      'Isto não é um cabeçalho de assinatura: tem a forma t=<segundos>,v1=<64 dígitos hexadecimais>.',
    current: (made) => `ao segredo atual, criado ${made}`,
    old: (made, ends) => `a um segredo antigo, criado ${made}, que termina ${ends}`,
    fits: (secret) =>
      `A assinatura está certa: corresponde ${secret}. Se o seu recetor a recusa, usa outro segredo ou outros bytes que não o corpo original.`,
    otherEvent: 'Mas o corpo não é o desta entrega: pertence a outro evento.',
    stale: (age) =>
      `Foi assinada ${age}. Os recetores recusam-na ao fim de cinco minutos; se o seu o fez logo, o relógio dele está errado.`,
    changed: (secret) => `A assinatura é nossa e corresponde ${secret}, mas o corpo não é o que enviámos.`,
    changes: {
      whitespace:
        'Tem espaço em branco à volta, como uma quebra de linha no fim. Verifique os bytes tal como chegam.',
      reformatted:
        'É o mesmo JSON, escrito de novo: a sua framework leu-o antes da verificação. Verifique o corpo original.',
      other: 'Diz outra coisa: pertence a outro evento, ou alguém o alterou pelo caminho.',
    },
    notOurs: 'Nenhum segredo válido do endpoint dá esta assinatura.',
    ofAttempt:
      'Houve uma tentativa a essa hora, por isso foi assinada com um segredo que entretanto terminou, ou perdeu-se um carácter ao copiar.',
    ofNoAttempt:
      'Esta entrega também não foi assinada a essa hora: o cabeçalho é de outra entrega, ou não vem de nós.',
  },
});
