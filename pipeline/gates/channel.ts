/** Whether the channel may carry this card at all: its market, type and language, judged by the policy of that channel. */
import { defineGate } from "./gate.ts";

export const channel = defineGate({
  id: "channel",
  version: 1,
  family: "compliance",
  stage: "page",
  question: "May the channel carry a card of this market, product type and language?",
  needs: ["card_terms", "instrument", "rules"],
  codes: {
    CHANNEL_BLOCK: {
      severity: "BLOCK",
      meaning: "the channel does not carry such a card, or the policy is another channel's",
      remedy: "leave the product out of this channel, add the language, or run the batch on a channel that carries it",
    },
  },
  check({ card_terms, instrument, rules }, report, examined) {
    const { channel: own, allows } = rules.page;
    const questions: [subject: string, value: string, allowed: readonly string[]][] = [
      ["channel", card_terms.channel, [own]],
      ["market", instrument.market, allows.markets],
      ["product_type", instrument.product_type, allows.product_types],
      ["locale", card_terms.locale, allows.locales],
    ];
    for (const [subject, value, allowed] of questions) {
      examined(subject);
      if (!allowed.includes(value)) {
        report("CHANNEL_BLOCK", subject, `${own} carries ${allowed.join(", ")}; the card is of ${value}`);
      }
    }
  },
});
