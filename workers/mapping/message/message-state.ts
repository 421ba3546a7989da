import { RenderState } from '../render/render-state.js';
import { Budget } from '../values/budget.js';
import { type JsonObject, type JsonValue, KeyLists } from '../values/json-value.js';
import { toJsonText } from './json-text.js';

/** The values that a filter or a body reads. */
export interface MessageValues {
  alert: JsonObject;
  transition: JsonObject;
}

/** Shows one message to its filter or body. What an alert says was judged when it was made: none of its words stands for "no value". */
export class MessageState extends RenderState {
  override readonly alert: JsonValue;
  override readonly transition: JsonValue;
  override readonly nothing: string;
  readonly readsEmpty = true;
  readonly #isJson: boolean;

  /** @param isJson whether tags are within texts of a JSON document, or in triple braces, values of it */
  constructor({ alert, transition }: MessageValues, isJson = false) {
    super({ webhook: null, request: () => undefined }, new Budget(), new KeyLists());
    this.alert = alert;
    this.transition = transition;
    this.nothing = isJson ? 'null' : '';
    this.#isJson = isJson;
  }

  override isPlaceholder(): boolean {
    return false;
  }

  override isMissing(value: JsonValue | undefined): boolean {
    return value === undefined || value === null || value === '';
  }

  override format(value: JsonValue): string {
    const text = super.format(value);
    return this.#isJson ? JSON.stringify(text).slice(1, -1) : text;
  }

  override formatRaw(value: JsonValue): string {
    return this.#isJson ? toJsonText(value) : super.format(value);
  }
}
