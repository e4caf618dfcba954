package jsontext_test

import (
	"strings"
	"testing"

	"pantheon/internal/testkit/jsontext"
)

func TestValue_KeepsOrderAndSpelling(t *testing.T) {
	t.Parallel()
	const text = `{"b":1.0,"a":[{},[],"x\"y\u0041",null,-0],"b":{"c":"{,}"},"":01}`
	v, err := jsontext.Parse(" " + strings.NewReplacer(",", " , ", ":", " :\n").Replace(`{"b":1.0,"a":[]}`))
	if err != nil || v.String() != `{"b":1.0,"a":[]}` {
		t.Errorf("with blanks: %v, %v", v, err)
	}
	if v, err = jsontext.Parse(text); err != nil || v.String() != text {
		t.Fatalf("%v, %v", v, err)
	}
	var paths []string
	v.Walk(func(path string, _ *jsontext.Value) { paths = append(paths, path) })
	if got := strings.Join(paths, " "); got != " b a a[0] a[1] a[2] a[3] a[4] b b.c " {
		t.Errorf("the paths are %q", got)
	}
	c := v.Clone()
	c.At("a", 2).Text = "7"
	if v.String() != text || c.At("a").String() != `[{},[],7,null,-0]` || v.At("a", 9) != nil || v.At("d") != nil {
		t.Errorf("after a change of the copy: %v, %v", v, c)
	}
	for _, bad := range []string{"", "{", `{"a"}`, `{"a":}`, `[1 2]`, `["a]`, "1 2", `["\`} {
		if v, err := jsontext.Parse(bad); err == nil {
			t.Errorf("%s is %v", bad, v)
		}
	}
}

func TestQuote_IsThatOfJavaScript(t *testing.T) {
	t.Parallel()
	const text, want = "a\"\\/<\u2028é\x00\b\t\n\f\r\x1f\x7f", `"a\"\\/<` + "\u2028é" + `\u0000\b\t\n\f\r\u001f` + "\x7f\""
	if got := jsontext.Quote(text); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
