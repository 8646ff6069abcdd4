/** How often the fault of one reply is fed back to the model, where the spec does not say: for the loop and its bound. */
export const defaultRepair: number = 1;
