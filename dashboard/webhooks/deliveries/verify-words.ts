import type { BodyChange } from '../../../domain/webhooks/check-signature.ts';
import { words } from '../../language/language.ts';

/** For checking a signature. */
export const VERIFY_WORDS = words({
  en: {
    title: 'Check a signature',
    text: 'Does your receiver reject the signature? Paste what it received and we’ll tell you what’s wrong. You don’t need the secret; never paste it anywhere.',
    header: 'X-Service-Signature header',
    body: 'Body, exactly as received',
    button: 'Check',
    unreadable: 'This isn’t a signature header. It looks like t=<seconds>,v1=<64 hexadecimal digits>.',
    current: (made: string) => `the current secret, created ${made}`,
    old: (made: string, ends: string) => `an old secret, created ${made}, which expires ${ends}`,
    fits: (secret: string) =>
      `The signature is valid: it matches ${secret}. If your receiver rejects it, it uses another secret, or not the raw body.`,
    otherEvent: 'But the body belongs to another event, not to this delivery.',
    stale: (age: string) =>
      `It was signed ${age}. Receivers reject signatures after five minutes. If yours rejected it sooner, its clock is wrong.`,
    changed: (secret: string) =>
      `The signature is ours and matches ${secret}, but the body isn’t the one we sent.`,
    changes: {
      whitespace:
        'It has extra white space, for example a line break at the end. Verify the bytes exactly as received.',
      encoding:
        'It was decoded with the wrong character encoding, so letters such as ã have changed. Verify the raw bytes, or decode them as UTF-8.',
      reformatted:
        'It is the same JSON, formatted differently: your framework parsed it before you verified it. Verify the raw body.',
      other: 'Its content is different: it belongs to another event, or was changed on the way.',
    } satisfies Record<BodyChange, string>,
    notOurs: 'No valid secret of this endpoint produces this signature.',
    ofAttempt:
      'We did make an attempt at that time. Its secret has since expired, or a character was lost when you copied it.',
    ofNoAttempt: 'We made no attempt at that time: the header belongs to another delivery, or isn’t from us.',
  },
  pt: {
    title: 'Verificar uma assinatura',
    text: 'O seu recetor recusa a assinatura? Cole o que recebeu e dizemos-lhe o que está errado. O segredo não é preciso: nunca cole o segredo em lado nenhum.',
    header: 'Cabeçalho X-Service-Signature',
    body: 'Corpo, exatamente como foi recebido',
    button: 'Verificar',
    unreadable:
      'Isto não é um cabeçalho de assinatura. Tem a forma t=<segundos>,v1=<64 dígitos hexadecimais>.',
    current: (made) => `ao segredo atual, criado ${made}`,
    old: (made, ends) => `a um segredo antigo, criado ${made}, que expira ${ends}`,
    fits: (secret) =>
      `A assinatura é válida: corresponde ${secret}. Se o seu recetor recusa a assinatura, está a usar outro segredo ou não usa o corpo original.`,
    otherEvent: 'Mas o corpo pertence a outro evento, não a esta entrega.',
    stale: (age) =>
      `Foi assinada ${age}. Os recetores recusam assinaturas ao fim de cinco minutos. Se o seu a recusou antes, o relógio dele está errado.`,
    changed: (secret) => `A assinatura é nossa e corresponde ${secret}, mas o corpo não é o que enviámos.`,
    changes: {
      whitespace:
        'Tem espaço em branco a mais, por exemplo uma quebra de linha no fim. Verifique os bytes tal como chegam.',
      encoding:
        'Foi lido com a codificação de caracteres errada, por isso letras como ã mudaram. Verifique os bytes originais ou leia o corpo em UTF-8.',
      reformatted:
        'É o mesmo JSON, com outra formatação: a framework processou-o antes da verificação. Verifique o corpo original.',
      other: 'O conteúdo é diferente: pertence a outro evento, ou foi alterado pelo caminho.',
    },
    notOurs: 'Nenhum segredo válido deste endpoint produz esta assinatura.',
    ofAttempt: 'Houve uma tentativa a essa hora. O segredo já expirou, ou perdeu-se um carácter ao copiar.',
    ofNoAttempt:
      'Não houve nenhuma tentativa a essa hora: o cabeçalho é de outra entrega, ou não vem de nós.',
  },
});
