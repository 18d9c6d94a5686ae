package db

import (
	"testing"
	"time"
)

func TestStrideFollowsTheTimeOfATransaction(t *testing.T) {
	t.Parallel()
	var s Stride
	few := s.Rows()
	for range 100 {
		s.took(time.Millisecond)
	}
	many := s.Rows()
	if few >= many || many > 5000 {
		t.Errorf("quick transactions: from %d to %d rows", few, many)
	}
	s.took(time.Second)
	if s.Rows() > many/2 {
		t.Errorf("%d rows after a slow transaction of %d", s.Rows(), many)
	}
	for range 100 {
		s.took(time.Minute)
	}
	if s.Rows() != few {
		t.Errorf("%d rows on a machine that is always slow, %d at first", s.Rows(), few)
	}
}
