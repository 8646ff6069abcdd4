/** What calls take from cockatiel: a bundle keeps the names of a package that is no module only where they are named. */
export {
  CircuitState,
  circuitBreaker,
  ConsecutiveBreaker,
  ExponentialBackoff,
  halfJitterGenerator,
  handleAll,
} from "cockatiel";
