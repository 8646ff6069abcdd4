/**
 * Models that are documented to reason by themselves unless they are told not to, by profile.
 *
 * A model that is not listed may think too: nothing is claimed about it.
 */
const THINKING: Readonly<Record<string, RegExp>> = {
  openai: /^(?:o\d|gpt-5(?!.*chat))/,
  deepseek: /^deepseek-(?:reasoner|v4)(?:-|$)/,
  kimi: /^kimi-(?:k2\.[56]|.*thinking)(?:-|$)/,
  qwen: /^(?:qwq|qvq|.*-thinking)(?:-|$)/,
  ollama: /^(?:deepseek-r1|qwq|.*-thinking)(?:[-:]|$)/,
  vllm: /(?:^|\/)(?:deepseek-r1|qwq|[^/]*-thinking)(?:-|$)/,
};

/** Whether a model of a profile is known to reason before it answers. */
export function thinks(profile: string, model: string): boolean {
  const known = Object.hasOwn(THINKING, profile) ? THINKING[profile] : undefined;
  return known?.test(model.toLowerCase()) === true;
}
