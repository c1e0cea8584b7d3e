import type { BodyChange } from '../../../domain/webhooks/check-signature.ts';
import { words } from '../../language/language.ts';

/** Texts of the page that checks a signature. */
export const VERIFY_WORDS = words({
  en: {
    title: 'Check a signature',
    text: 'Does your receiver reject the signature? Paste what it received and we’ll tell you what’s wrong. The check doesn’t need your signing secret. Never paste the secret anywhere.',
    header: 'X-Service-Signature header',
    body: 'Body, exactly as received',
    button: 'Check',
    unreadable:
      'This isn’t a signature header. A signature header looks like t=<seconds>,v1=<64 hexadecimal digits>.',
    current: (made: string) => `the current secret, created ${made}`,
    old: (made: string, ends: string) => `an old secret, created ${made}, which expires ${ends}`,
    fits: (secret: string) =>
      `The signature is valid: it matches ${secret}. If your receiver rejects the signature, the receiver uses another secret or doesn’t verify the raw body.`,
    otherEvent: 'However, the body belongs to another event, not to this delivery.',
    stale: (age: string) =>
      `The body was signed ${age}. Receivers reject signatures after five minutes. If your receiver rejected this signature sooner, the receiver’s clock is wrong.`,
    changed: (secret: string) =>
      `The signature is ours and matches ${secret}, but the body isn’t the one we sent.`,
    changes: {
      whitespace:
        'The body has extra white space, for example a line break at the end. Verify the bytes exactly as received.',
      encoding:
        'The body was decoded with the wrong character encoding, so letters such as ã have changed. Verify the raw bytes, or decode them as UTF-8.',
      reformatted:
        'The body is the same JSON with different formatting, because your framework parsed the body before you verified it. Verify the raw body.',
      other: 'The content is different: the body belongs to another event, or was changed on the way.',
    } satisfies Record<BodyChange, string>,
    notOurs: 'No valid secret of this endpoint produces this signature.',
    ofAttempt:
      'We did make an attempt at that time. The secret used for it has expired since, or a character was lost when you copied the header or the body.',
    ofNoAttempt: 'We made no attempt at that time: the header belongs to another delivery, or isn’t from us.',
  },
  pt: {
    title: 'Verificar uma assinatura',
    text: 'O seu recetor recusa a assinatura? Cole o que o recetor recebeu e dizemos-lhe o que está errado. A verificação não precisa do segredo de assinatura. Nunca cole o segredo em lado nenhum.',
    header: 'Cabeçalho X-Service-Signature',
    body: 'Corpo, exatamente como foi recebido',
    button: 'Verificar',
    unreadable:
      'Isto não é um cabeçalho de assinatura. Um cabeçalho de assinatura tem a forma t=<segundos>,v1=<64 dígitos hexadecimais>.',
    current: (made) => `ao segredo atual, criado ${made}`,
    old: (made, ends) => `a um segredo antigo, criado ${made}, que expira ${ends}`,
    fits: (secret) =>
      `A assinatura é válida: corresponde ${secret}. Se o seu recetor recusa a assinatura, é porque o recetor usa outro segredo ou não verifica o corpo original.`,
    otherEvent: 'No entanto, o corpo pertence a outro evento, não a esta entrega.',
    stale: (age) =>
      `O corpo foi assinado ${age}. Os recetores recusam assinaturas ao fim de cinco minutos. Se o seu recetor recusou esta assinatura antes disso, o relógio do recetor está errado.`,
    changed: (secret) => `A assinatura é nossa e corresponde ${secret}, mas o corpo não é o que enviámos.`,
    changes: {
      whitespace:
        'O corpo tem espaços a mais, por exemplo uma quebra de linha no fim. Verifique os bytes exatamente como foram recebidos.',
      encoding:
        'O corpo foi lido com a codificação de caracteres errada, por isso letras como ã mudaram. Verifique os bytes originais ou leia o corpo em UTF-8.',
      reformatted:
        'O corpo é o mesmo JSON com outra formatação, porque a framework processou o corpo antes da verificação. Verifique o corpo original.',
      other: 'O conteúdo é diferente: o corpo pertence a outro evento ou foi alterado pelo caminho.',
    },
    notOurs: 'Nenhum segredo válido deste endpoint produz esta assinatura.',
    ofAttempt:
      'Fizemos uma tentativa a essa hora. O segredo que usámos já expirou, ou perdeu-se um carácter ao copiar o cabeçalho ou o corpo.',
    ofNoAttempt:
      'Não fizemos nenhuma tentativa a essa hora: o cabeçalho pertence a outra entrega ou não foi enviado por nós.',
  },
});
