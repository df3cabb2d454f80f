/** What a name of this project means: a rule, a requirement, an exit code, … */
export interface Explanation {
  name: string;
  kind:
    | 'rule'
    | 'requirement'
    | 'check'
    | 'open point'
    | 'scenario'
    | 'exit code'
    | 'verb'
    | 'symptom'
    | 'term';
  /** One sentence. */
  title: string;
  /** Label and text, in reading order. */
  facts: readonly (readonly [label: string, text: string])[];
  /** A conversation that breaks the rule, and one that keeps it. */
  conversations?: readonly ExampleConversation[];
  /** Commands that show more, without the name of the command itself: `client --scenario races/reply-slow -- …`. */
  commands?: readonly string[];
  /** The page of the documentation, with an anchor: `requirements.md#events`. */
  page: string;
}

export interface ExampleConversation {
  /** `Wrong: an event that is listed again`. */
  title: string;
  lines: readonly string[];
}

/** One bad and one good example of a rule, as text. */
export interface RuleExampleText {
  wrong: ExampleText & {
    /** The message of the finding. */
    message: string;
  };
  right: ExampleText;
}

export interface ExampleText {
  title: string;
  lines: readonly string[];
}

/** A row of the page about symptoms. */
export interface Symptom {
  /** Heading: `The client hangs`. */
  symptom: string;
  cause: string;
  scenario: string;
  rule: string;
  remedy: string;
}

/** A term of the glossary. */
export interface Term {
  name: string;
  meaning: string;
  /** Heading: `Scenarios and faults`. */
  section: string;
}
