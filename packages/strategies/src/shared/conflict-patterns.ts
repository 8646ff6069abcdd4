import type { Prompt } from "@loopwright/core/plugin";

/** One side of a conflict: what is wished for, and the words by which a task shows the wish. */
export interface WishCues {
  readonly name: Prompt;
  /** English words and phrases in lower case, between bars; they stand alone, not inside another word. */
  readonly en: string;
  /** Chinese words between bars, found anywhere. */
  readonly zh: string;
}

/** Two wishes that seldom can both be met. */
interface ConflictPattern {
  readonly kind: string;
  readonly sides: readonly [WishCues, WishCues];
}

const cheap: WishCues = {
  name: { en: "a low price", zh: "价格低" },
  en: "cheap|cheapest|cheaper|low cost|low-cost|lowest price|budget|save money|affordable|inexpensive|free of charge",
  zh: "便宜|最低价|省钱|预算|低价|实惠|免费",
};

const fast: WishCues = {
  name: { en: "speed", zh: "速度快" },
  en: "fast|fastest|quick|quickly|urgent|urgently|as soon as possible|asap|immediately|right away|today|deadline|at once",
  zh: "尽快|马上|立即|立刻|紧急|最快|快速|今天|截止",
};

const complete: WishCues = {
  name: { en: "completeness", zh: "内容完整" },
  en: "complete|completely|comprehensive|every|exhaustive|in full|thorough|thoroughly|in detail|detailed|all aspects|leave nothing out",
  zh: "完整|全面|详尽|详细|所有|每一个|彻底|不遗漏|面面俱到",
};

/** The conflicts that wishes often have. */
export const CONFLICT_PATTERNS: readonly ConflictPattern[] = [
  {
    kind: "cost v quality",
    sides: [
      cheap,
      {
        name: { en: "high quality", zh: "质量高" },
        en: "best|high quality|high-quality|top quality|premium|luxury|durable|first-class|finest",
        zh: "最好|高质量|优质|高档|豪华|耐用|一流|精品",
      },
    ],
  },
  {
    kind: "cost v comfort",
    sides: [
      cheap,
      {
        name: { en: "a direct or comfortable way", zh: "直达或舒适" },
        en: "direct|non-stop|nonstop|comfortable|comfort|convenient|business class|central|door to door|without changing",
        zh: "直飞|直达|舒适|舒服|方便|商务舱|市中心|不转机|不换乘",
      },
    ],
  },
  {
    kind: "cost v speed",
    sides: [cheap, fast],
  },
  {
    kind: "speed v completeness",
    sides: [fast, complete],
  },
  {
    kind: "speed v certainty",
    sides: [
      fast,
      {
        name: { en: "certainty", zh: "准确可靠" },
        en: "verify|verified|double-check|accurate|exact|certain|reliable|tested|no mistakes|error-free",
        zh: "核实|准确|精确|可靠|无误|复核|万无一失|测试",
      },
    ],
  },
  {
    kind: "brevity v completeness",
    sides: [
      {
        name: { en: "brevity", zh: "简短" },
        en: "brief|briefly|short|concise|one sentence|one page|one paragraph|in a few words|summary|at most",
        zh: "简短|简洁|一句话|一页|简明|字以内|概括|简要",
      },
      complete,
    ],
  },
  {
    kind: "privacy v detail",
    sides: [
      {
        name: { en: "privacy", zh: "隐私" },
        en: "private|privacy|anonymous|anonymously|confidential|no personal data|personal data|no names",
        zh: "隐私|匿名|保密|机密|个人信息|不透露",
      },
      {
        name: { en: "detail about people", zh: "细节充分" },
        en: "detailed|in detail|specific|by name|personalised|personalized|names",
        zh: "详细|具体|个性化|姓名|细节|量身",
      },
    ],
  },
  {
    kind: "safety v speed",
    sides: [
      {
        name: { en: "safety", zh: "安全稳妥" },
        en: "safe|safely|no risk|without risk|no downtime|careful|reversible",
        zh: "安全|稳妥|无风险|不停机|谨慎|可回滚",
      },
      fast,
    ],
  },
  {
    kind: "rest v variety",
    sides: [
      {
        name: { en: "a relaxed pace", zh: "轻松悠闲" },
        en: "relaxed|relaxing|slow pace|quiet|unhurried|not too tiring",
        zh: "轻松|悠闲|不累|安静|慢节奏|休闲",
      },
      {
        name: { en: "seeing much", zh: "游览丰富" },
        en: "as many|as much as possible|must-see|every|all the sights|full day",
        zh: "尽可能多|打卡|必去|所有景点|多玩|玩遍",
      },
    ],
  },
];
