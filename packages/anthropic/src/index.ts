/** The provider `anthropic`; a spec names it once the package is installed. */
export { anthropic } from "./anthropic.ts";
