package generator

import (
	"math"
	"strconv"
)

// Geometry in user units: x to the right, y down. One unit is 1/600 of a card's width.

type point struct{ x, y float64 }

// segment is one path command with its absolute points: M and L use one, Q two, C three.
type segment struct {
	op byte
	p  [3]point
}

func (s segment) count() int {
	switch s.op {
	case 'M', 'L':
		return 1
	case 'Q':
		return 2
	case 'C':
		return 3
	}
	return 0
}

// path is an outline being built. Its methods append and return the receiver.
type path struct{ segs []segment }

func newPath(x, y float64) *path { return new(path).M(x, y) }

func (p *path) M(x, y float64) *path {
	p.segs = append(p.segs, segment{'M', [3]point{{x, y}}})
	return p
}

func (p *path) L(x, y float64) *path {
	p.segs = append(p.segs, segment{'L', [3]point{{x, y}}})
	return p
}

func (p *path) Q(x1, y1, x, y float64) *path {
	p.segs = append(p.segs, segment{'Q', [3]point{{x1, y1}, {x, y}}})
	return p
}

func (p *path) C(x1, y1, x2, y2, x, y float64) *path {
	p.segs = append(p.segs, segment{'C', [3]point{{x1, y1}, {x2, y2}, {x, y}}})
	return p
}

func (p *path) Z() *path {
	p.segs = append(p.segs, segment{op: 'Z'})
	return p
}

// lines appends straight lines through x, y pairs.
func (p *path) lines(xy ...float64) *path {
	for i := 0; i+1 < len(xy); i += 2 {
		p.L(xy[i], xy[i+1])
	}
	return p
}

func (p *path) add(others ...*path) *path {
	for _, o := range others {
		p.segs = append(p.segs, o.segs...)
	}
	return p
}

// circle appends a full turn in four cubics.
func (p *path) circle(cx, cy, r float64) *path { return p.ellipse(cx, cy, r, r) }

func (p *path) ellipse(cx, cy, rx, ry float64) *path {
	const k = 0.5523 // cubic approximation of a quarter circle
	return p.M(cx+rx, cy).
		C(cx+rx, cy+k*ry, cx+k*rx, cy+ry, cx, cy+ry).
		C(cx-k*rx, cy+ry, cx-rx, cy+k*ry, cx-rx, cy).
		C(cx-rx, cy-k*ry, cx-k*rx, cy-ry, cx, cy-ry).
		C(cx+k*rx, cy-ry, cx+rx, cy-k*ry, cx+rx, cy).Z()
}

// arc appends a circular arc from angle a to b (radians), starting a new subpath if move
// is set and joining by a line otherwise.
func (p *path) arc(cx, cy, r, a, b float64, move bool) *path {
	n := max(1, int(math.Ceil(math.Abs(b-a)/(math.Pi/2))))
	step := (b - a) / float64(n)
	k := 4.0 / 3 * math.Tan(step/4) * r
	x, y := cx+r*math.Cos(a), cy+r*math.Sin(a)
	if move {
		p.M(x, y)
	} else {
		p.L(x, y)
	}
	for i := range n {
		t0, t1 := a+step*float64(i), a+step*float64(i+1)
		x0, y0 := cx+r*math.Cos(t0), cy+r*math.Sin(t0)
		x1, y1 := cx+r*math.Cos(t1), cy+r*math.Sin(t1)
		p.C(x0-k*math.Sin(t0), y0+k*math.Cos(t0), x1+k*math.Sin(t1), y1-k*math.Cos(t1), x1, y1)
	}
	return p
}

func rect(x, y, w, h float64) *path { return newPath(x, y).lines(x+w, y, x+w, y+h, x, y+h).Z() }

func polyline(xy ...float64) *path { return newPath(xy[0], xy[1]).lines(xy[2:]...) }

func polygon(xy ...float64) *path { return polyline(xy...).Z() }

// regular is a polygon of n corners on a circle, the first at the angle turn (radians).
func regular(cx, cy, r float64, n int, turn float64) *path { return starry(cx, cy, r, r, n, turn) }

// starry is a star of n points that alternates between the outer radius and the inner one.
// With equal radii it is a plain polygon.
func starry(cx, cy, outer, inner float64, n int, turn float64) *path {
	p := new(path)
	for i := range 2 * n {
		r := outer
		if i%2 == 1 {
			if outer == inner {
				continue
			}
			r = inner
		}
		s, c := math.Sincos(turn + math.Pi*float64(i)/float64(n))
		if i == 0 {
			p.M(cx+r*c, cy+r*s)
		} else {
			p.L(cx+r*c, cy+r*s)
		}
	}
	return p.Z()
}

// curve is a smooth open line through the x, y pairs (Catmull-Rom, tension 1/6).
func curve(xy ...float64) *path {
	n := len(xy) / 2
	at := func(i int) point {
		i = min(max(i, 0), n-1)
		return point{xy[2*i], xy[2*i+1]}
	}
	p := newPath(xy[0], xy[1])
	for i := range n - 1 {
		a, b, c, d := at(i-1), at(i), at(i+1), at(i+2)
		p.C(b.x+(c.x-a.x)/6, b.y+(c.y-a.y)/6, c.x-(d.x-b.x)/6, c.y-(d.y-b.y)/6, c.x, c.y)
	}
	return p
}

// ribbon is a closed stroke of changing width along a smooth line: the width (full, in
// units) runs from w0 at the start over w1 in the middle to w2 at the end.
func ribbon(w0, w1, w2 float64, xy ...float64) *path {
	n := len(xy) / 2
	left, right := make([]float64, 0, 2*n), make([]float64, 2*n)
	for i := range n {
		j, k := max(i-1, 0), min(i+1, n-1)
		dx, dy := xy[2*k]-xy[2*j], xy[2*k+1]-xy[2*j+1]
		length := math.Hypot(dx, dy)
		t := 0.0
		if n > 1 {
			t = float64(i) / float64(n-1)
		}
		w := w0 + (w1-w0)*2*t
		if t > 0.5 {
			w = w1 + (w2-w1)*(2*t-1)
		}
		ox, oy := -dy/length*w/2, dx/length*w/2
		left = append(left, xy[2*i]+ox, xy[2*i+1]+oy)
		right[2*(n-1-i)], right[2*(n-1-i)+1] = xy[2*i]-ox, xy[2*i+1]-oy
	}
	p := curve(left...)
	back := curve(right...)
	p.L(right[0], right[1])
	p.segs = append(p.segs, back.segs[1:]...)
	return p.Z()
}

// matrix maps (x, y) to (a·x + c·y + e, b·x + d·y + f), as in SVG.
type matrix struct{ a, b, c, d, e, f float64 }

func shift(x, y float64) matrix { return matrix{1, 0, 0, 1, x, y} }

// placed scales, then turns by an angle (radians), then moves.
func placed(x, y, scale, angle float64) matrix {
	s, c := math.Sincos(angle)
	return matrix{scale * c, scale * s, -scale * s, scale * c, x, y}
}

func (m matrix) at(q point) point { return point{m.a*q.x + m.c*q.y + m.e, m.b*q.x + m.d*q.y + m.f} }

// mapped returns a transformed copy.
func (p *path) mapped(m matrix) *path {
	out := &path{segs: make([]segment, len(p.segs))}
	for i, s := range p.segs {
		for j := range s.count() {
			s.p[j] = m.at(s.p[j])
		}
		out.segs[i] = s
	}
	return out
}

// first returns the first n subpaths.
func (p *path) first(n int) *path {
	for i, s := range p.segs {
		if s.op == 'M' {
			if n == 0 {
				return &path{p.segs[:i]}
			}
			n--
		}
	}
	return p
}

// coarse rounds to whole units: precise enough for hair and feathers, and a shorter output.
func (p *path) coarse() *path {
	for i := range p.segs {
		for j := range p.segs[i].p {
			q := &p.segs[i].p[j]
			q.x, q.y = math.Round(q.x), math.Round(q.y)
		}
	}
	return p
}

func (p *path) flipped() *path { return p.mapped(matrix{-1, 0, 0, 1, 0, 0}) }

// both is the path and its mirror image in the axis x = 0.
func (p *path) both() *path { return new(path).add(p, p.flipped()) }

// sym closes a half outline, drawn as one open line from the axis x = 0 and back to it,
// with its mirror image.
func (p *path) sym() *path {
	out := &path{segs: append([]segment(nil), p.segs...)}
	end := func(i int) point { s := p.segs[i]; return s.p[s.count()-1] }
	last := end(len(p.segs) - 1)
	if last.x != 0 {
		out.L(-last.x, last.y)
	}
	for i := len(p.segs) - 1; i > 0; i-- {
		s, to := p.segs[i], end(i-1)
		switch s.op {
		case 'L':
			out.L(-to.x, to.y)
		case 'Q':
			out.Q(-s.p[0].x, s.p[0].y, -to.x, to.y)
		case 'C':
			out.C(-s.p[1].x, s.p[1].y, -s.p[0].x, s.p[0].y, -to.x, to.y)
		}
	}
	return out.Z()
}

// bounds returns the bounding box of the control points.
func (p *path) bounds() (x0, y0, x1, y1 float64) {
	x0, y0, x1, y1 = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, s := range p.segs {
		for _, q := range s.p[:s.count()] {
			x0, y0, x1, y1 = min(x0, q.x), min(y0, q.y), max(x1, q.x), max(y1, q.y)
		}
	}
	return
}

// appendTo writes path data in relative commands with one decimal. Offsets are taken
// between rounded positions, so that rounding never adds up.
func (p *path) appendTo(b []byte) []byte {
	var curX, curY, startX, startY int
	prev := byte(0)
	for _, s := range p.segs {
		if s.op == 'Z' {
			b = append(b, 'z')
			curX, curY, prev = startX, startY, 'Z'
			continue
		}
		// Coordinate pairs after the first of a moveto are implicit lineto commands (SVG 1.1, 8.3.2).
		if s.op != prev && (s.op != 'L' || prev != 'M') || s.op == 'M' {
			b = append(b, s.op|0x20)
		} else {
			b = append(b, ' ')
		}
		n := s.count()
		var x, y int
		for j := range n {
			x, y = tenths(s.p[j].x), tenths(s.p[j].y)
			b = appendNumber(b, x-curX)
			b = appendNumber(b, y-curY)
		}
		curX, curY, prev = x, y, s.op
		if s.op == 'M' {
			startX, startY = x, y
		}
	}
	return b
}

func tenths(v float64) int { return int(math.Round(v*10 + tieBreak)) }

// tieBreak shifts values that lie exactly between two roundings. Processors that fuse
// multiplication and addition return slightly lower or higher results there, and the drawing must
// not depend on the processor.
const tieBreak = 1e-6

// appendNumber writes tenths as a decimal, with a space only where the grammar needs one.
func appendNumber(b []byte, v int) []byte {
	if v >= 0 && len(b) > 0 {
		if last := b[len(b)-1]; last >= '0' && last <= '9' || last == '.' {
			b = append(b, ' ')
		}
	}
	if v < 0 {
		b = append(b, '-')
		v = -v
	}
	if v%10 == 0 {
		return strconv.AppendInt(b, int64(v/10), 10)
	}
	if v >= 10 {
		b = strconv.AppendInt(b, int64(v/10), 10)
	}
	return append(b, '.', byte('0'+v%10))
}
