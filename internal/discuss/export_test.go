package discuss

import "context"

// Tell tells all that is due.
func (s *Service) Tell(ctx context.Context) error {
	for {
		if more, err := s.tellSome(ctx); !more || err != nil {
			return err
		}
	}
}
