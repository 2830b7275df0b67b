"""Positions of Tama that were looked for because they are slow: a king among very many ways to capture."""

LATTICE = "W:WKa3:BKf8,Kc7,Kg3,Kc3,Ke5,Ka2,Kd7,Kg5,Kh3,Kf4,Kh6,Ka4,Kd2,Kf1,Kb1,Kc8"
MEN = "W:WKh2:Bf4,c6,g6,e5,c7,h6,e2,c2,g7,d4,h4,e7,b3,g4,a6"
