package rest

import (
	"net/http"
	"strconv"
	"strings"
)

// bind checks a query's names and values against the table. Nothing else turns a client's name into a column.
func (t *Table) bind(q *Query, known map[string]*Table) *Error {
	if err := t.bindFields(q, known); err != nil {
		return err
	}
	for i := range q.Where {
		if err := t.bindCondition(&q.Where[i]); err != nil {
			return err
		}
	}
	for i := range q.Order {
		if q.Order[i].column = t.visible(q.Order[i].Column); q.Order[i].column < 0 {
			return unknownColumn(t.Name, q.Order[i].Column)
		}
	}
	return nil
}

func (t *Table) bindFields(q *Query, known map[string]*Table) *Error {
	q.shown = make([]shown, 0, len(t.Columns))
	for _, f := range q.fields {
		switch column := t.visible(f.column); {
		case f.relation != "":
			return t.embed(f.relation, known)
		case f.column == "*":
			for i, c := range t.Columns {
				if !c.Hidden {
					q.show(t.shown[i])
				}
			}
		case column < 0:
			return unknownColumn(t.Name, f.column)
		default:
			s := t.shown[column]
			if len(f.alias) > maxName {
				return refuse(http.StatusBadRequest, "42622", "A column's name in the answer holds at most "+strconv.Itoa(maxName)+" bytes")
			}
			if s.name != f.alias {
				s.name, s.key = f.alias, jsonKey(f.alias)
			}
			q.show(s)
		}
	}
	return t.checkOnce(q.shown)
}

// checkOnce keeps an answer from being many times larger than its rows.
func (t *Table) checkOnce(list []shown) *Error {
	seen := make([]bool, len(t.Columns))
	for _, s := range list {
		if seen[s.column] {
			return notImplemented("The column " + t.Columns[s.column].Name + " is selected under two names.")
		}
		seen[s.column] = true
	}
	return nil
}

// show adds a column to the answer; of two with the same name the later one counts, as in a JSON object.
func (q *Query) show(s shown) {
	for i := range q.shown {
		if q.shown[i].name == s.name {
			q.shown[i] = s
			return
		}
	}
	q.shown = append(q.shown, s)
}

func jsonKey(name string) []byte { return append(appendString(nil, name), ':') }

// embed refuses an embedded relation: it is known but not available, or there is none.
func (t *Table) embed(relation string, known map[string]*Table) *Error {
	linked := false
	for _, f := range t.ForeignKeys {
		linked = linked || f.Table == relation || f.Column == relation && t.visible(f.Column) >= 0
	}
	if other := known[relation]; other != nil {
		for _, f := range other.ForeignKeys {
			linked = linked || f.Table == t.Name
		}
	}
	if linked {
		return notImplemented("Embedded resources are not available.")
	}
	return refuse(http.StatusBadRequest, "PGRST200",
		"Could not find a relationship between '"+t.Name+"' and '"+relation+"' in the schema cache").
		details("Searched for a foreign key relationship between '%s' and '%s' in the schema 'public', but no matches were found.", t.Name, relation)
}

func (t *Table) bindCondition(c *Condition) *Error {
	if c.Column != "" {
		if c.column = t.visible(c.Column); c.column < 0 {
			return unknownColumn(t.Name, c.Column)
		}
	}
	switch c.Op {
	case And, Or:
		for i := range c.Of {
			if err := t.bindCondition(&c.Of[i]); err != nil {
				return err
			}
		}
		return nil
	case Is:
		return t.bindState(c)
	case Like, ILike:
		return t.bindPattern(c)
	default:
		return t.bindValues(c)
	}
}

func (t *Table) bindState(c *Condition) *Error {
	word, column := c.Values[0].(string), t.Columns[c.column]
	switch {
	case word == "null" || word == "not_null":
	case column.Type != Bool:
		return refuse(http.StatusBadRequest, "42804",
			"argument of IS "+strings.ToUpper(word)+" must be type boolean, not type "+column.Type.String())
	case word != "unknown" && !column.Nullable:
		c.Op, c.Values = Eq, []any{word == "true"} // SQLite's indexes serve "=", and not "is true"
	}
	return nil
}

func (t *Table) bindValues(c *Condition) *Error {
	for i, text := range c.Values {
		value, err := parseValue(t.Columns[c.column].Type, text.(string))
		if err != nil {
			return err
		}
		c.Values[i] = value
	}
	return nil
}

func (t *Table) bindPattern(c *Condition) *Error {
	if kind := t.Columns[c.column].Type; kind != Text {
		sign := map[Op]string{Like: "~~", ILike: "~~*"}[c.Op]
		return refuse(http.StatusNotFound, "42883", "operator does not exist: "+kind.String()+" "+sign+" unknown").
			hint("No operator matches the given name and argument types. You might need to add explicit type casts.")
	}
	text := c.Values[0].(string)
	if len(text) > maxPattern {
		return tooComplex("A pattern holds at most " + strconv.Itoa(maxPattern) + " bytes.")
	}
	if trailing := len(text) - len(strings.TrimRight(text, `\`)); trailing%2 == 1 {
		return refuse(http.StatusBadRequest, "22025", "LIKE pattern must not end with escape character")
	}
	return nil
}
