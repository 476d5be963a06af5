/**
 * Syllables that names of funds, issuers and indices on the Korean market are commonly written with, beside ASCII and
 * the punctuation of a card. A wider list makes every card heavier; a narrower one makes second fonts frequent.
 */
const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index)).join("");
const PUNCTUATION = "\u00a0·×÷±−–—…‘’“”「」『』《》〈〉→←↑↓▲▼△▽●○■□※℃₩€£¥©®™§ⅠⅡⅢⅣⅤ①②③④⑤½ㄱㄴㄷㄹ";
const SYLLABLES =
  "가각간감값강갖같개거건것게겟격견결경계고곳공과관광교구국군권규균그극근글금급기긴나날남낮내냉네넥넷년농높뉴느는늘" +
  "능니닉닌닛닝다닥단달답닷당대더덕덜덟덤데델도독동되된됨두둘드득든들등디딜떨또뜻라락란래랩량러런럼렇레렌려력련령례" +
  "로록롯료루룬룰룹류률를름리립링마만말망맞매맥맨머먹먼멀메며면명몇모목못무문물뮤미믹민믿밀및바박밖반받발방배백밸뱃" +
  "뱅버번벌범법벗베벤벨벽변별병보복본볼봉부북분불붙뷰브블비빅빈빛뿐사삭산살삼상생샤서석선설섬섭섯성세섹센셀셋소속손" +
  "솔송쇼숏수순술숫쉽스슬습승시식신실심십싱써쓰씨씩아안않알앞애액앤약양어억얻얼업없에엔여연열염영예오옵와완왓왔외요" +
  "욕욜용우운울움웃웅워원월웨웰위윈유육윤율융으은을음응의이익인일읽임입있잉자잔잘잠잡장재잭쟁저적전절점접정제젠졌조" +
  "족존졸종좋주준줄중쥬즉증지직진질집짧째차찰참창찾채책처천철첨첫청체초총최추축출취츠측치칙칠침칩카칼캐캡커컨컬컴컸" +
  "케켐켓코콘콩쿠크큰클키타탁탄탈탐태택터털텀테텍텐텔템토톤톱통퇴투튜트특틀티틸팀파판팔패팩팬팹퍼펀펌펙펠편펼평폐포" +
  "폭폴폼표풀품풍퓨프플피핀필핏하학한할함합항해핵행향허험헤헬헷혁현형혜호혼홉화확환활황회효후훈휴흐흡흥희히힘";

export const COMMON_GLYPHS = ASCII + PUNCTUATION + SYLLABLES;
