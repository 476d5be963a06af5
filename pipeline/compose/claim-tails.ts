/**
 * What a claim may not turn into beside its figures: a request or advice to the reader, a place to go to, an event that is to come.
 * Only what a rule can say; free words that nothing is bound to are looked at by a person (gates/model-composed).
 */
import type { Locale } from "../domain/locale.ts";

export interface ClaimTails {
  locale: Locale;
  text: string;
  /** Absent: what kind of sentence it is does not ask for any. */
  supports?: readonly { kind: string }[];
}

export interface TailFault {
  code: "REQUEST" | "DESTINATION" | "EVENT_UNBOUND";
  detail: string;
}

type Words = Readonly<Record<Locale, RegExp>>;

const REQUESTS: Words = {
  "ko-KR":
    /(?:세요|십시오|셔요|시죠|[합봅둡삽읍]시다)(?![가-힣])|바랍니다|주십시오|부탁드|(?<![가-힣])권(?:합니다|하고|해|유|장)|추천|[ 할볼길둘살릴]만(?:합니다|하다|하며|하고|한 (?:상품|때|시점))|(?:하|사|담|두|맡기|갈아타)(?:시|는)?(?:면 됩니다|는 (?:것이|편이) (?:좋|낫|유리))|(?:지금|당장|오늘|서둘러) ?(?:바로 |곧 )?(?:사|담|가입|매수|매도|투자|맡)/u,
  "en-US":
    /\bplease\b|(?:^|[,;:] )(?:so |then |and |just |simply )*(?:contact|visit|e-?mail|message|subscribe|join|click|dial|consult|buy|sell|invest|hurry|trust|sign up|reach out|get in touch|speak to|talk to)\b|\b(?:contact|call|e-?mail|message|text|join|follow) (?:us|me|now|today|our|your)\b|\b(?:sign up|get in touch|reach out to)\b|\b(?:you|investors?|clients?|readers?|savers?) (?:should|ought to|must|had better|would do well|cannot afford|can't afford)\b|\bworth (?:buying|owning|holding|entrusting|investing|your)\b|\b(?:recommend(?:ed|s)?|advis(?:e|ed|able)|don['’]t miss|do not miss)\b|\b(?:a|the) (?:good|right|great|perfect) (?:time|moment) to\b/iu,
};

const DESTINATIONS: Words = {
  "ko-KR":
    /카카오 ?톡|카톡|텔레그램|오픈 ?채팅|채팅방|단톡|리딩방|메신저|유튜브|인스타|페이스북|블로그|카페에|홈페이지|웹 ?사이트|누리집|앱에서|링크|큐알|이메일|전자 ?우편|문자 ?메시지|전화(?:번호|로|하|해|를)|고객 ?센터|콜 ?센터|상담(?:사|원|센터|전화|을 받|하)|문의|연락|(?:봇|밴드|채널)(?:에|으로|에서) |\b(?:telegram|kakao|whatsapp|discord|QR)/iu,
  "en-US":
    /\b(?:telegram|what['’]?s ?app|kakao ?talk|kakao|wechat|discord|facebook|instagram|youtube|tiktok|linkedin|reddit|web ?site|web ?page|home ?page|hotline|call cent(?:er|re)|help ?desk|chat ?bot|chat ?room|group chat|QR codes?|e-?mail|by phone|phone number|(?:click|tap|follow|see) (?:on )?(?:the|this|our) link)\b|#\w/iu,
};

/** When: no figure says so, whatever it rests on. */
const TO_COME: Words = {
  "ko-KR":
    /(?<![가-힣]|[이가] )(?:곧|조만간|머지않아|내일|모레|다음 ?(?:주|달|분기|해)(?!기)|내달|내년|연내|이달 (?:말|안)|올해 (?:안|말))(?:에|부터|까지|중|쯤|도|의|이면)?(?![가-힣])/u,
  "en-US":
    /\b(?:soon(?! after)|shortly(?! after)|imminent(?:ly)?|tomorrow|next (?:week|month|quarter|year)|later this (?:week|month|quarter|year)|before long|any day now|(?:is|are) about to|in the coming (?:days|weeks|months)|upcoming)\b/iu,
};
/** What: somebody must have said so. */
const EVENTS: Words = {
  "ko-KR":
    /상장 ?폐지|청산(?:됩|될|하|절차|예정|됐|되)|예정(?:입니다|이며|이고|이라|되어|돼|대로)|합병(?:됩|될|하)|계획입니다/u,
  "en-US":
    /\b(?:delist(?:ed|ing|s)?|liquidat(?:ed|es|ion)|wound up|winding up|(?:is|are|was) (?:scheduled|set|due) to|will (?:soon )?be (?:closed|merged|split|raised|cut|paid|terminated))\b/iu,
};

export function tailFaults({ locale, text, supports = [] }: ClaimTails): TailFault[] {
  const found = (code: TailFault["code"], words: Words): TailFault[] => {
    const match = words[locale].exec(text);
    return match === null ? [] : [{ code, detail: JSON.stringify(match[0].trim()) }];
  };
  const isTold = supports.some(({ kind }) => kind === "research" || kind === "evidence");
  return [
    ...found("REQUEST", REQUESTS),
    ...found("DESTINATION", DESTINATIONS),
    ...found("EVENT_UNBOUND", TO_COME),
    ...(isTold ? [] : found("EVENT_UNBOUND", EVENTS)),
  ];
}
