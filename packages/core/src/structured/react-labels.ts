/** The parts of a step in the ReAct text protocol, as labels name them. */
export type ReactLabel = "thought" | "action" | "input" | "answer" | "observation" | "question";

/** The words of one language: what labels a part, and what stands for "no action" or "this is the answer". */
interface ReactLanguage {
  /** Each label is a list of words; between two words may stand spaces, `_`, `-` or nothing. */
  readonly labels: Readonly<Record<ReactLabel, readonly (readonly string[])[]>>;
  /** Values of Action that name no action; more words or a note may follow. */
  readonly noAction: readonly string[];
  /** Actions that give the answer, written without spaces, `_` and `-`. */
  readonly answering: readonly string[];
}

const english: ReactLanguage = {
  labels: {
    thought: [["thought"]],
    action: [["action"]],
    input: [["action", "input"]],
    answer: [["final", "answer"], ["answer"]],
    observation: [["observation"]],
    question: [["question"]],
  },
  noAction: ["none", "null", "n/a", "nil", "no action", "no tool"],
  answering: ["finish", "finalanswer"],
};

const chinese: ReactLanguage = {
  labels: {
    thought: [["思考"], ["想法"]],
    action: [["行动"], ["动作"], ["行動"], ["動作"]],
    input: [
      ["行动", "输入"],
      ["动作", "输入"],
      ["行動", "輸入"],
      ["動作", "輸入"],
    ],
    answer: [
      ["最终", "答案"],
      ["最終", "答案"],
    ],
    observation: [["观察"], ["觀察"]],
    question: [["问题"], ["問題"]],
  },
  noAction: ["无", "無", "没有", "沒有", "无需", "無需", "不需要"],
  answering: ["完成", "最终答案", "最終答案"],
};

/** The languages whose labels are read; all at once, a step may mix them. */
const reactLanguages: readonly ReactLanguage[] = [english, chinese];

/** What may stand between a label and its value. */
export const labelColons = ":：﹕";

/** One way to write a label. */
export interface LabelForm {
  readonly label: ReactLabel;
  /** In lower case. */
  readonly words: readonly string[];
}

/** The forms of all labels, by the first character in lower case; the longest first. */
export const labelForms: ReadonlyMap<string, readonly LabelForm[]> = formsOf(reactLanguages);

function formsOf(languages: readonly ReactLanguage[]): ReadonlyMap<string, readonly LabelForm[]> {
  const forms: LabelForm[] = languages.flatMap((language) =>
    (Object.keys(language.labels) as ReactLabel[]).flatMap((label) =>
      language.labels[label].map((words) => ({ label, words })),
    ),
  );
  forms.sort((one, other) => other.words.join("").length - one.words.join("").length);
  const byFirst = new Map<string, LabelForm[]>();
  for (const form of forms) {
    const first = form.words[0]?.charAt(0) ?? "";
    byFirst.set(first, [...(byFirst.get(first) ?? []), form]);
  }
  return byFirst;
}

/** Whether the value of Action says that there is none; `None (I can answer)` does, `none_such` does not. */
export function isNoAction(value: string): boolean {
  const text = value.toLowerCase();
  if (/^\P{L}*$/u.test(text) && /^[-–—/.]*$/.test(text)) return true;
  return reactLanguages.some(({ noAction }) =>
    noAction.some(
      (word) =>
        text.startsWith(word) && !/^[\p{L}\p{N}_-]/u.test(text.slice(word.length, word.length + 2)),
    ),
  );
}

/** Whether an action of this name gives the answer. */
export function isAnswering(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[\s_-]/g, "");
  return reactLanguages.some(({ answering }) => answering.includes(plain));
}
