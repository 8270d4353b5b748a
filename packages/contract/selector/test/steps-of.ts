import { Budget } from '../src/cel/budget.ts';
import { evaluate } from '../src/cel/evaluator.ts';
import { TooCostly } from '../src/cel/failure.ts';
import { parse } from '../src/cel/parser.ts';
import { selectorLanguage } from '../src/selector-language.ts';

/** What an evaluation costs, whether it comes to its end or not. */
export function stepsOf(text: string, max?: number): number {
  const language = selectorLanguage();
  const budget = new Budget(max);
  try {
    evaluate(parse(text, language), language, {}, budget);
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error;
  }
  return budget.spent;
}
