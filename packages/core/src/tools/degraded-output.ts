/** What a tool gives when it could do only a part of what it was asked; the model is told so, and nothing keeps it. */
export class DegradedOutput {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
