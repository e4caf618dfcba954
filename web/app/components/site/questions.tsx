import { Children, createContext, isValidElement, type ReactElement, type ReactNode, useContext } from "react";

/** The search text for questions, in lower case; "" for none. `QuestionSearch` sets it. */
export const QuestionQuery = createContext("");

interface Answered {
  heading: ReactElement;
  answer: ReactNode[];
}

/**
 * Questions on one topic in a text: a second-level heading, then third-level headings with their answers. Each is a
 * disclosure that also works without scripts. Within a `QuestionSearch` only questions that contain every search word
 * are shown.
 */
export function Questions({ children }: { children: ReactNode }) {
  const query = useContext(QuestionQuery);
  const parts = Children.toArray(children).filter((child): child is ReactElement => isValidElement(child));
  const title = parts.find((part) => part.type === "h2");
  const answered: Answered[] = [];
  for (const part of parts) {
    if (part.type === "h3") answered.push({ heading: part, answer: [] });
    else if (part !== title) answered.at(-1)?.answer.push(part);
  }
  const words = query.split(/\s+/).filter(Boolean);
  const found = answered.filter(({ heading, answer }) => {
    const text = textOf([heading, ...answer]).toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (!found.length) return null;
  return (
    <>
      {title}
      <div className="questions">
        {found.map(({ heading, answer }) => (
          <details key={heading.key} open={words.length > 0}>
            <summary>{heading}</summary>
            <div>{answer}</div>
          </details>
        ))}
      </div>
    </>
  );
}

function textOf(node: ReactNode): string {
  return Children.toArray(node)
    .map((child) => (isValidElement<{ children?: ReactNode }>(child) ? textOf(child.props.children) : String(child)))
    .join(" ");
}
